"""The bundled levels of sliding tiles."""

# The number of moves that each needs. Of the 8-puzzle, no arrangement is farther from the goal than the two hard ones.
LEVELS = {
    "row": "2 0 1 4 3\ngoal\n* 1 * * 0\n",  # 3
    "3x2": "4 1\n2 0\n3 5\n",  # 14
    "2x3": "3 4 5\n0 1 2\n",  # 21
    "corner": "8 7 6\n0 4 1\n2 5 3\ngoal\n0 1 *\n3 * *\n* * *\n",  # 15
    "8-easy": "1 4 2\n6 3 5\n0 7 8\n",  # 4
    "8-medium": "7 4 1\n5 3 6\n0 8 2\n",  # 20
    "8-hard": "8 7 6\n0 4 1\n2 5 3\n",  # 31
    "8-harder": "8 0 6\n5 4 7\n2 3 1\n",  # 31
    "8-unsolvable": "0 2 1\n3 4 5\n6 7 8\n",
    "15-easy": "8 4 1 2\n12 5 7 3\n13 9 6 10\n14 0 15 11\n",  # 18
    "15-medium": "8 4 6 2\n3 0 10 5\n13 12 1 7\n14 9 15 11\n",  # 36
    "15-hard": "7 2 3 13\n4 5 8 0\n6 11 10 9\n14 1 15 12\n",  # 50
    "15-notebook": "0 14 8 12\n10 11 13 9\n6 2 4 15\n3 5 7 1\n",  # 68
}
