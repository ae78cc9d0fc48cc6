"""Neovim with the settings of `unpuzzle lsp --settings neovim`: it shows a fault, mends it, and changes a name.

Without Neovim (`apt-get install neovim`) this is skipped.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import run
from support.waiting import PATIENCE

NVIM = shutil.which("nvim")
pytestmark = pytest.mark.skipif(NVIM is None, reason="there is no nvim: apt-get install neovim")
SCRIPT = """
local patience = %d
local function waited(what, condition)
  if not vim.wait(patience * 1000, condition, 20) then
    io.stderr:write("it did not happen that " .. what .. "\\n")
    vim.cmd("cquit 1")
  end
end
local out = {}
vim.cmd("edit problem.pddl")
waited("a fault is shown", function() return #vim.diagnostic.get(0) == 1 end)
local fault = vim.diagnostic.get(0)[1]
out.fault = { fault.lnum, fault.col, fault.message }
vim.api.nvim_win_set_cursor(0, { fault.lnum + 1, fault.col })
local parameters = vim.lsp.util.make_range_params()
parameters.context = { diagnostics = {}, only = { "quickfix" } }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", parameters, patience * 1000)
for _, answer in pairs(answers) do
  out.action = answer.result[1].title
  vim.lsp.util.apply_workspace_edit(answer.result[1].edit, "utf-16")
end
waited("the fault goes", function() return #vim.diagnostic.get(0) == 0 end)
vim.fn.search("(\\\\zsat")
vim.lsp.buf.rename("stands-at")
waited("the name changes", function() return vim.fn.search("stands-at", "nw") > 0 end)
out.problem = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
local domain = vim.fn.bufnr("domain.pddl")
out.domain = domain > 0 and table.concat(vim.api.nvim_buf_get_lines(domain, 0, -1, false), "\\n") or ""
local file = io.open("out.json", "w")
file:write(vim.fn.json_encode(out))
file:close()
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.cmd("qall!")
"""
DOMAIN = """(define (domain d)
  (:requirements :strips :typing)
  (:types side)
  (:predicates (at ?s - side))
  (:action go :parameters (?from ?to - side)
    :precondition (at ?from)
    :effect (and (not (at ?from)) (at ?to))))
"""
PROBLEM = """(define (problem p) (:domain d) ; 𝛼
  (:objects left right - side)
  (:init (at left))
  (:goal (at rihgt)))
"""


def test_neovim_shows_mends_and_renames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    code, settings, _ = run(capsys, "lsp", "--settings", "neovim")
    assert code == 0
    (tmp_path / "init.lua").write_text(settings)
    (tmp_path / "script.lua").write_text(SCRIPT % PATIENCE)
    folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    words = [str(NVIM), "--headless", "-i", "NONE", "-n", "-u", "init.lua", "-S", "script.lua"]
    done = subprocess.run(
        words, cwd=tmp_path, env=os.environ | folders | {"PATH": path}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    out = json.loads((tmp_path / "out.json").read_text())
    assert out["fault"] == [3, 13, "unknown object 'rihgt', did you mean 'right'?"]
    # An object is never mended by itself: what one meant is a guess, and the title says so.
    assert out["action"] == "write right: a guess, which may change the meaning"
    assert out["problem"] == PROBLEM.replace("rihgt", "right").replace("(at", "(stands-at").rstrip("\n")
    assert out["domain"] == DOMAIN.replace("(at", "(stands-at").rstrip("\n")
