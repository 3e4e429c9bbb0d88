"""What people, programs and pages are told. By medium:

    words/      what is said, as data: the verdict block, runs, lessons, commands worth typing
    terminal/   printed: every command's face on a console
    html/       pages and notebooks
    files/      JSON, trace files, and other tools' formats for runs
    conversions.py   what a run in a file can be turned into: one registry for all of these

A new format for runs is a file in files/ and an entry in conversions.py.
"""
