"""The built-in planner: grounding in Python, search in C++."""
