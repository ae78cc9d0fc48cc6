"""The debugger: the steps of turns, and the rules that ever fire.

    steps      turns and their steps, as data       recording  a listener that notes them
    showing    turns in lines for people, and as data for JSON     strips     turns as a picture
    beside     turns for a page, beside the board, and inputs that are played on a level
    exploring  rules that fire in a level, and its solutions       covering   rules that fire in a game, or never do

All of it listens to the engine in Python (`playing.listening`); other engines are as fast as before.
"""
