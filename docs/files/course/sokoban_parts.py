"""Sokoban: the steps that can be made, and the goal."""

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def cell(state, row, column):
    if 0 <= row < len(state) and 0 <= column < len(state[row]):
        return state[row][column]
    return "#"


def successors(state):
    grid = {(r, c): symbol for r, row in enumerate(state) for c, symbol in enumerate(row)}
    (player,) = [place for place, symbol in grid.items() if symbol in "@+"]
    found = []
    for dr, dc in STEPS:
        ahead = (player[0] + dr, player[1] + dc)
        beyond = (player[0] + 2 * dr, player[1] + 2 * dc)
        new = dict(grid)
        if cell(state, *ahead) in "$*":
            if cell(state, *beyond) == "#":
                continue
            new[beyond] = "*" if grid[beyond] == "." else "$"
        elif cell(state, *ahead) == "#":
            continue
        new[ahead] = "+" if grid[ahead] in ".*" else "@"
        new[player] = "." if grid[player] == "+" else " "
        found.append(["".join(new[r, c] for c in range(len(row))) for r, row in enumerate(state)])
    return found


def is_goal(state):
    return not any("." in row for row in state)
