"""Pages: one file each, which needs nothing else.

run.py        the page of a result: begin here           messages.py      of what was counted
expected.py   of what to expect
figure.py     a run: diagram and moments                  state_graph.py   the state graph in a report
model_text.py the model, lines that never ran marked      chart.py         numbers as charts
beside.py     two runs side by side
notebook.py   a result in a notebook                      templates.py     Jinja, style and script of assets/
"""
