"""unpuzzle.planners: a task, rules or constraints in, a result out."""
