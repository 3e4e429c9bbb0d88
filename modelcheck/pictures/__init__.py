"""Pictures of a run, as SVG: the space-time diagram, and in stage/ the system itself, moment by moment.

diagram.py   trace ──▶ SVG: begin here
layout.py    where everything stands: numbers and words ──▶ frame.py, ways.py, marks.py, labels.py, legend.py draw it
links.py     messages on one link keep their order       geometry.py  boxes, ways, overlaps
telling.py   what is said beside events                  words.py     how wide words are
style.py     colours                                     svg.py       elements as text
files.py     SVG, PNG, PDF, GIF, frames                    tikz.py      for papers
"""
