// Several levels on one page: which one is played, and which ones were solved without help, with the least cost so far.
// The browser keeps that; a frame that may not keep anything knows it as long as the page is open.

const KEY = "unpuzzle " + document.body.dataset.key;
const names = JSON.parse(document.body.dataset.levels);
let kept = {};
try {
  kept = JSON.parse(localStorage.getItem(KEY)) || {};
} catch {
  // A frame without a store.
}

more.solved = () => {
  if (helped || kept[number] <= spent()) return;
  kept[number] = spent();
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // As above.
  }
  more.opened();
};

more.opened = () => {
  $("levels").hidden = false;
  $("level").replaceChildren(...names.map((name, i) => new Option((i in kept ? "✓ " : "") + name, i, false, i === number)));
  $("solved").textContent = `${Object.keys(kept).length} of ${names.length} solved`;
  able("next", number + 1 < names.length);
};

$("level").onchange = () => open(+$("level").value);
$("next").onclick = () => number + 1 < names.length && open(number + 1);
