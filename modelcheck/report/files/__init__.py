"""Files for programs.

as_json.py     a result as JSON, format 1
tracefile.py, traceparts.py, untrusted_json.py   runs, written and read back; what comes from outside is data, each place checked
junit.py, sarif.py   a result for continuous integration and for editors
plots.py       curves, drawn by matplotlib
itf.py, shiviz.py, mermaid.py   runs for other tools
"""
