"""Steps that tests of pair sets share with others."""

TERMS = """
[Term]
id: X:1
name: malaria
synonym: "paludism" EXACT []
synonym: "marsh fever" EXACT []
synonym: "fever" BROAD []

[Term]
id: X:2
name: cold (disorder)
synonym: "common cold" EXACT []
is_a: X:1

[Term]
id: X:3
name: sacrum sprain
synonym: "sacral sprain" EXACT []

[Term]
id: X:4
name: obsolete ague
is_obsolete: true
replaced_by: X:1

[Term]
id: X:5
name: [D] chill
is_obsolete: true
consider: X:2
"""
