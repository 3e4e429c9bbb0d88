"""What a report says, before it is known where: labelled lines and runs as data, for terminal and page alike.

entries.py        labelled lines               verdict_block.py   what is said first of a result: begin here
steps.py          counterexamples, a line a step                  sentences.py   a step as a sentence
why.py            from a failure back to its roots, in sentences
glossary.py       every word of a report with its sentence
beside.py         two runs side by side
lesson.py         what is wrong with a model   commands.py        the next command worth typing
numbers.py        numbers of messages          places.py          which line of the model is at fault
expected.py       what is to be expected       formulas.py        the model's formulas, and how they came out
"""
