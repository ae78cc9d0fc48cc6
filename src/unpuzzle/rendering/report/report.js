// What a report does: the table of runs is filtered, sorted and shown in pieces; logs, and figures of pairs of planners,
// are unpacked when somebody asks for them. All texts from runs are written as text; figures are our own.
const $ = (id) => document.getElementById(id);
const PIECE = 200;
const COLUMNS = ["planner", "domain", "task", "repetition", "outcome", "cost", "time", "expanded", "memory"];
const HEADS = { repetition: "run", time: "time, s", memory: "memory, MiB" };
const WORDS = new Set(["planner", "domain", "task", "outcome"]);

const read = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
};
const make = (name, text = "", kind = "") => {
  const element = document.createElement(name);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
};

let data, rows, hits = [], shown = 0, sorted = { column: "", down: false };

const value = (column, row) => {
  if (column === "planner") return data.planners[rows.planner[row]];
  if (column === "domain") return data.tasks[rows.task[row]][0];
  if (column === "task") return data.tasks[rows.task[row]][1];
  if (column === "outcome") return data.outcomes[rows.outcome[row]];
  return rows[column][row];
};
const written = (column, row) => {
  const content = value(column, row);
  if (content === null) return "–";
  if (column === "time") return content.toFixed(3);
  return typeof content === "number" ? content.toLocaleString("en") : content;
};

const find = () => {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [planner, outcome] = [$("of-planner").value, $("of-outcome").value];
  hits = [...rows.task.keys()].filter((row) => {
    if (planner !== "" && rows.planner[row] !== +planner) return false;
    if (outcome !== "" && rows.outcome[row] !== +outcome) return false;
    if (!words.length) return true;
    const text = ["planner", "domain", "task"].map((column) => value(column, row)).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (sorted.column) {
    const order = new Intl.Collator("en", { numeric: true });
    const sign = sorted.down ? -1 : 1;
    hits.sort((one, other) => {
      const [a, b] = [value(sorted.column, one), value(sorted.column, other)];
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * (typeof a === "number" ? a - b : order.compare(a, b)) || one - other;
    });
  }
  shown = 0;
  $("table").tBodies[0].replaceChildren();
  more();
};

const more = () => {
  const piece = hits.slice(shown, shown + PIECE).map((row) => {
    const line = document.createElement("tr");
    for (const column of COLUMNS) line.append(make("td", written(column, row), WORDS.has(column) ? "words" : ""));
    const button = make("button", "log");
    button.type = "button";
    button.setAttribute("aria-label", `Details and log of ${title(row)}`);
    button.addEventListener("click", () => open(row));
    const cell = document.createElement("td");
    cell.append(button);
    line.append(cell);
    return line;
  });
  $("table").tBodies[0].append(...piece);
  shown += piece.length;
  const all = rows.task.length.toLocaleString("en");
  $("hits").textContent = `${hits.length.toLocaleString("en")} of ${all} runs, ${shown.toLocaleString("en")} shown`;
  $("more").hidden = shown >= hits.length;
};

const title = (row) =>
  `${value("planner", row)} on ${value("domain", row)} ${value("task", row)}, run ${rows.repetition[row]}`;

const open = async (row) => {
  const block = document.getElementsByClassName("block")[Math.floor(row / data.block)];
  const details = (await read(block.textContent))[row % data.block];
  $("details-title").textContent = `${title(row)}: ${value("outcome", row)}`;
  $("details-about").textContent = details.about;
  $("details-plan").textContent = details.plan;
  $("plan-title").hidden = $("details-plan").hidden = !details.plan;
  $("details-log").textContent =
    details.log || (details.file ? `The log was not there: ${details.file}` : "This run has no log.");
  $("details").showModal();
};

const heads = () => {
  for (const column of COLUMNS) {
    const [head, button] = [make("th", "", WORDS.has(column) ? "words" : ""), make("button", HEADS[column] ?? column)];
    head.scope = "col";
    button.type = "button";
    button.addEventListener("click", () => {
      sorted = { column, down: sorted.column === column && !sorted.down };
      for (const other of $("table").tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      find();
    });
    head.append(button);
    $("table").tHead.rows[0].append(head);
  }
  const last = make("th", "details");
  last.scope = "col";
  $("table").tHead.rows[0].append(last);
};

const choose = (id, names) => {
  for (const [number, name] of names) {
    const option = make("option", name);
    option.value = number;
    $(id).append(option);
  }
};

const pair = async () => {
  const [first, second, measure] = ["first", "second", "measure"].map((id) => $(id).value);
  const keys = [`${measure} ${first} ${second}`, `${measure} ${second} ${first}`];
  const found = [...document.getElementsByClassName("pair")].find((each) => keys.includes(each.dataset.key));
  const none = first === second ? "This is one planner; choose another one." : "There is no figure of these two.";
  const [svg, verdict] = found ? await read(found.textContent) : ["", none];
  $("picture").innerHTML = svg;
  $("verdict").textContent = verdict;
  for (const table of document.querySelectorAll("[data-measure]")) table.hidden = table.dataset.measure !== measure;
};

(async () => {
  [data, rows] = await Promise.all([read($("data").textContent), read($("runs").textContent)]);
  heads();
  choose("of-planner", data.planners.entries());
  const there = new Set(rows.outcome);
  choose("of-outcome", [...data.outcomes.entries()].filter(([number]) => there.has(number)));
  for (const id of ["find", "of-planner", "of-outcome"]) $(id).addEventListener("input", find);
  $("more").addEventListener("click", more);
  $("filters").hidden = $("frame").hidden = false;
  find();
  if ($("measure")) {
    for (const id of ["first", "second", "measure"]) $(id).addEventListener("input", pair);
    await pair();
  }
  document.body.dataset.ready = "";
})();
