"""Shared code of the trials: a node, programs to follow, a bad link, and a record of what was seen.
"""
