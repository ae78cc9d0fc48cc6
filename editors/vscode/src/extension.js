// Starts the language server for PDDL and PuzzleScript, and stops it; all else is in the server.
"use strict";

const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate() {
  const settings = workspace.getConfiguration("unpuzzle");
  const [command, ...args] = settings.get("command");
  const server = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient("unpuzzle", "unpuzzle", server, {
    documentSelector: [{ language: "pddl" }, { language: "puzzlescript" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{pddl,plan,soln}") },
    initializationOptions: { seconds: settings.get("seconds"), levelSeconds: settings.get("levelSeconds") },
  });
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
