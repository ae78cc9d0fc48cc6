"""Services for editors: answers about positions in open texts (`workspace.documents`), and jobs that editors start.

    diagnosing completing                  faults, and words that are possible here
    navigation outlining formatting        the meaning and uses of a name, the parts of a text
    jobs                                   jobs in separate processes: solve, validate, explain, check, explore
    messages server features               the language server, the only modules that need pygls
    editors                                settings with which editors start it

Questions about one game format are answered by its `GameFormat`.
"""
