"""What the trials share: a node to break, programs to follow, a link to spoil, and a record of what was seen."""
