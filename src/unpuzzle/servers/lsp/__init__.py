"""What editors and code hosts need: faults in their formats, documents that change, answers about a place in a text.

    sarif annotations                      faults as SARIF, and as workflow commands of GitHub
    places documents forms symbols         texts in UTF-16, buffers and files, groups of words, every name
    diagnosing completing                  what is wrong, what can stand here
    navigation outlining formatting        what a name means and where it is used, what a text is made of
    jobs                                   work in processes of its own: solve, validate, explain, check, explore
    messages server features               the language server, the only modules that need pygls
    editors                                settings of editors that start it

What belongs to one language of games is asked of its `GameFormat`.
"""
