"""What editors need: answers about a place in a text that changes (`workspace.documents`), and work that they start.

    diagnosing completing                  what is wrong, what can stand here
    navigation outlining formatting        what a name means and where it is used, what a text is made of
    jobs                                   work in processes of its own: solve, validate, explain, check, explore
    messages server features               the language server, the only modules that need pygls
    editors                                settings of editors that start it

What belongs to one language of games is asked of its `GameFormat`.
"""
