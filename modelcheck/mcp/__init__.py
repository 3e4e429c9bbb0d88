"""The tools of modelcheck for programs that speak the Model Context Protocol, such as assistants that write models.

server.py     the protocol: requests that come in, a line each, and their answers: begin here
tools.py      the tools, what they take, and what they answer
child.py      a process of its own for each call: there the code of models runs

Why by hand: of the protocol we need six requests over standard input and output. The official package (mcp 2.3) brings seventeen others for that, four of
them compiled, with a web server, cryptography and telemetry.
"""
