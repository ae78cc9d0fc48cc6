// What a report does: the table of runs is filtered, sorted and shown in pieces; logs are unpacked when somebody asks
// for them; the scatter puts marks at places that were worked out before. All texts are written as text.
const $ = (id) => document.getElementById(id);
const PIECE = 200;
const COLUMNS = ["planner", "domain", "task", "repetition", "outcome", "cost", "time", "expanded", "memory"];
const HEADS = { repetition: "run", time: "time, s", memory: "memory, MiB" };
const WORDS = new Set(["planner", "domain", "task", "outcome"]);

const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
};
const read = async (text) => JSON.parse(new TextDecoder().decode(await unpacked(text)));
const make = (name, text = "", kind = "") => {
  const element = document.createElement(name);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
};

let data, rows, places, hits = [], shown = 0, sorted = { column: "", down: false };

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

// The scatter: places are numbers along an axis, by measure, planner and task.
const placesOf = (chart, planner) => {
  const start = (chart * data.planners.length + planner) * data.tasks.length;
  return places.subarray(start, start + data.tasks.length);
};
const scatter = () => {
  const [number, first, second] = ["measure", "first", "second"].map((id) => +$(id).value);
  const chart = data.charts[number];
  for (const figure of document.querySelectorAll("figure.scatter")) figure.hidden = +figure.dataset.number !== number;
  for (const body of document.querySelectorAll("tbody[data-measure]"))
    body.hidden = body.dataset.measure !== chart.name;
  const name = `scatter-${chart.name}`;
  const [left, bottom, width, height] = chart.box;
  const [across, up] = [placesOf(number, first), placesOf(number, second)];
  for (const [group, wanted] of [["both", false], ["alone", true]]) {
    const old = [...$(`${name}-${group}`).querySelectorAll("use")];
    const model = (marks[name + group] ??= old[0].cloneNode());
    model.removeAttribute("visibility");
    const every = [];
    data.tasks.forEach((task, at) => {
      const pair = [across[at], up[at]];
      if (pair.includes(data.unknown) || pair.every((place) => place === data.none)) return;
      if (pair.includes(data.none) !== wanted) return;
      const [x, y] = pair.map((place) => (place === data.none ? chart.border : place) / data.one);
      const mark = model.cloneNode();
      mark.setAttribute("x", (left + width * x).toFixed(1));
      mark.setAttribute("y", (bottom + height * y).toFixed(1));
      mark.dataset.task = at;
      every.push(mark);
    });
    home[name + group] ??= $(`${name}-${group}`).querySelector("use")?.parentNode;
    home[name + group].replaceChildren(...every);
  }
  for (const [label, planner] of [["x-label", first], ["y-label", second]])
    $(`${name}-${label}`).querySelector("text").textContent = `${data.planners[planner]}: ${chart.unit}`;
  $("verdict").textContent = verdict(chart, first, second);
  $(name).setAttribute("aria-label", `Scatter plot of ${chart.title}: ${$("verdict").textContent}`);
};
const marks = {}, home = {};
const short = (number) => Number(number.toPrecision(3)).toString();
const verdict = (chart, first, second) => {
  const names = [data.planners[first], data.planners[second]];
  if (first === second) return "This is one planner; choose another one.";
  const same = ([one, other, measure]) => measure === chart.name && [one, other].includes(first) && [one, other].includes(second);
  const found = data.ratios.find(same);
  if (!found) return `${names[1]} / ${names[0]}: not compared.`;
  let [one, , , tasks, mean, median, low, high, noise] = found;
  if (one !== first) [mean, median, low, high] = [1 / mean, 1 / median, high && 1 / high, low && 1 / low];
  const between = low === null ? "" : `, 95% from ${short(low)} to ${short(high)}`;
  const explained = noise === null ? "" : noise ? "; noise explains it" : "; more than noise";
  return `${names[1]} / ${names[0]}, ${chart.title}: geometric mean ${short(mean)}${between}, median ${short(median)}, on ${tasks.toLocaleString("en")} tasks that both solved${explained}.`;
};
const point = (event) => {
  const at = event.target.dataset?.task;
  let tip = $("tip");
  if (at === undefined) return void tip?.remove();
  if (!tip) document.body.append((tip = Object.assign(make("div"), { id: "tip" })));
  tip.textContent = data.tasks[at].join(" ");
  tip.style.left = `${Math.min(event.clientX + 12, innerWidth - 200)}px`;
  tip.style.top = `${event.clientY + 12}px`;
};

(async () => {
  [data, rows] = await Promise.all([read($("data").textContent), read($("runs").textContent)]);
  places = new Uint16Array(await unpacked($("places").textContent));
  heads();
  choose("of-planner", data.planners.entries());
  const there = new Set(rows.outcome);
  choose("of-outcome", [...data.outcomes.entries()].filter(([number]) => there.has(number)));
  for (const id of ["find", "of-planner", "of-outcome"]) $(id).addEventListener("input", find);
  $("more").addEventListener("click", more);
  $("filters").hidden = $("frame").hidden = false;
  find();
  if ($("measure")) {
    for (const id of ["first", "second", "measure"]) $(id).addEventListener("input", scatter);
    document.addEventListener("pointermove", point);
    scatter();
  }
  document.body.dataset.ready = "";
})();
