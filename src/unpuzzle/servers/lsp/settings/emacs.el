;; unpuzzle: PDDL and games in text files. Into ~/.emacs.d/init.el; for Emacs 29 or newer, which has Eglot.
(define-derived-mode pddl-mode lisp-data-mode "PDDL")
(add-to-list 'auto-mode-alist '("\\.\\(pddl\\|plan\\)\\'" . pddl-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((pddl-mode text-mode) . ("unpuzzle" "lsp"))))
(add-hook 'pddl-mode-hook 'eglot-ensure)
;; In a game, a .txt file, M-x eglot starts the server.
