"""The system in its place: processes on their graph, what waits on every link, and who believes in whom, moment by moment.

places.py    where the processes stand: rings, lines, trees, meshes, complete and other graphs
scene.py     trace ──▶ what stands where, and at which moments: begin here
drawing.py   scene ──▶ SVG of one moment, which stage.js in a page leads from moment to moment
moving.py    scene ──▶ SVG that moves by itself, and an SVG for each moment
colours.py   a colour for each leader that is believed in
"""
