"""Services for editors: answers about positions in open texts (`workspace.documents`), and jobs that editors start.

    diagnosing             the faults of texts
    language_features      the meaning and uses of a name, the words that are possible, the parts of a text
    jobs                   jobs in separate processes: solve, validate, explain, check, explore
    messages server        the language server, the only modules that need pygls

Questions about one game format are answered by its `GameFormat`.
"""
