"""A rig on one machine: nodes in namespaces of their own, behind links that delay and lose.
"""
