"""The debugger: the steps of turns, and the rules that fire at least once.

    steps      turns and their steps, as data       recording  a listener that notes them
    showing    turns in lines for people, as data for JSON, and for a page, beside the board; inputs played on a level
    strips     turns as a picture
    exploring  rules that fire in a level, and its solutions       covering   rules that fire in a game, or never do

All of it listens to the engine in Python (`playing.listening`); other engines are as fast as before.
"""
