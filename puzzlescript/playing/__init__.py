"""Compiled games in play: boards, rules at work on them, turns, and engines that tell what follows a state."""
