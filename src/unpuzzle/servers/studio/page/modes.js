// Colours for the texts of the studio: a few words and signs each, for the editor component.

const rules = {
  game: [
    { token: "comment", regex: /\([^)]*\)?/ },
    { token: "heading", regex: /^\s*(?:OBJECTS|LEGEND|SOUNDS|COLLISIONLAYERS|RULES|WINCONDITIONS|LEVELS)\s*$/i },
    { token: "comment", regex: /^=+$/ },
    { token: "keyword", regex: /^(?:title|author|homepage|message)\b.*$/i },
    { token: "keyword", regex: /\b(?:late|rigid|random|again|cancel|checkpoint|restart|win|no|all|on|some|any|up|down|left|right|moving|stationary|action|horizontal|vertical|orthogonal|parallel|perpendicular|randomdir|or|and)\b/i },
    { token: "variable", regex: /->|[<>^](?=\s)|\||\[|\]/ },
    { token: "string", regex: /\b(?:black|white|gr[ae]y|dark\w*|light\w*|red|brown|orange|yellow|green|blue|purple|pink|transparent)\b|#[0-9a-f]{3,8}\b/i },
  ],
  pddl: [
    { token: "comment", regex: /;.*$/ },
    { token: "keyword", regex: /:[\w-]+|\b(?:define|domain|problem|and|or|not|imply|forall|exists|when|increase|either)\b/i },
    { token: "variable", regex: /\?[\w-]+/ },
    { token: "constant", regex: /\b\d+\b/ },
  ],
  levels: [
    { token: "comment", regex: /^[;'].*$/ },
    { token: "comment", regex: /^[A-Za-z][\w ]*:.*$/ },
    { token: "wall", regex: /[#%]+/ },
    { token: "box", regex: /[$*]/ },
    { token: "hero", regex: /[@+]/ },
    { token: "string", regex: /\./ },
  ],
  python: [
    { token: "comment", regex: /#.*$/ },
    { token: "string", regex: /"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/ },
    { token: "keyword", regex: /\b(?:def|class|return|if|elif|else|for|while|in|is|not|and|or|import|from|as|with|yield|raise|try|except|finally|None|True|False|lambda|self)\b/ },
    { token: "constant", regex: /\b\d+\b/ },
  ],
};

const made = {};

// The mode of a text, by its kind and the end of its name.
export function modeOf(kind, path) {
  const ending = path.slice(path.lastIndexOf("."));
  const name = kind === "game" ? "game" : ending === ".py" ? "python" : [".pddl", ".plan", ".soln"].includes(ending) ? "pddl" : "levels";
  return (made[name] ??= mode(rules[name], name === "pddl" ? ";" : name === "python" ? "#" : ""));
}

function mode(start, comment) {
  const { Mode } = ace.require("ace/mode/text");
  const { TextHighlightRules } = ace.require("ace/mode/text_highlight_rules");
  const result = new Mode();
  result.HighlightRules = class extends TextHighlightRules {
    $rules = { start: start.map((rule) => ({ ...rule, regex: rule.regex.source.replace(/\((?!\?)/g, "(?:"), caseInsensitive: rule.regex.flags.includes("i") })) };
  };
  result.$highlightRules = null;
  result.lineCommentStart = comment;
  return result;
}
