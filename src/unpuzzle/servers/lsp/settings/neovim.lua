-- unpuzzle: PDDL and games in text files. Into ~/.config/nvim/init.lua; for Neovim 0.7 or newer.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.pddl", "*.plan", "*.soln" },
  callback = function() vim.bo.filetype = "pddl" end,
})
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "pddl", "text" },  -- games in PuzzleScript are .txt files; other texts are left alone
  callback = function(event)
    local file = vim.api.nvim_buf_get_name(event.buf)
    local client = vim.lsp.start_client({
      name = "unpuzzle",
      cmd = { "unpuzzle", "lsp" },
      root_dir = vim.fn.fnamemodify(file, ":p:h"),
    })
    if client then vim.lsp.buf_attach_client(event.buf, client) end
  end,
})
-- The lenses above a problem or a level: show them, and start the one of this line.
vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave" }, {
  pattern = { "*.pddl", "*.plan", "*.txt" },
  callback = function() pcall(vim.lsp.codelens.refresh) end,
})
vim.keymap.set("n", "<leader>u", vim.lsp.codelens.run)
