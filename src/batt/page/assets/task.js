// The view of a task: its pairs, and each candidate with its outputs, its program and its steps.
"use strict";

batt.task = (() => {
  const dialog = document.getElementById("task");
  const body = document.getElementById("task-body");
  const verdicts = ["", "failed on every demonstration", "wrong", "near", "fits the demonstrations", "correct"];
  let tiles = [], current = null;

  const figure = (name, rows) => batt.element("figure", {},
    batt.element("figcaption", {}, name), batt.grid({ rows }, null, name));

  const pairs = details => batt.element("ul", { class: "pairs" }, ...details.pairs.map(pair =>
    batt.element("li", {}, batt.element("div", { class: "pair" },
      figure(`${pair.name} input`, pair.input),
      batt.element("span", { class: "arrow", "aria-hidden": "true" }, "→"),
      pair.expected ? figure(`${pair.name} expected`, pair.expected)
        : batt.element("span", { class: "faint" }, "expected output unknown")))));

  const marks = { equal: ["✓", "is-good"], different: ["✗", "is-bad"], error: ["!", "is-bad"], none: ["?", "is-none"] };

  const output = (pair, made) => {
    const [mark, kind] = marks[made.mark];
    const told = made.failed ? `${made.failed}: ${made.verdict}` : made.verdict.replace(/^different: /, "");
    return batt.element("li", {}, batt.element("figure", {},
      batt.element("figcaption", {}, `${pair.name} output`),
      made.value ? batt.value(made.value, `${pair.name} output`, made.wrong) : null,
      batt.element("p", { class: `verdict ${kind}` }, `${mark} ${told}`)));
  };

  const steps = (details, candidate) => {
    const shown = batt.element("ol", { class: "steps" });
    const buttons = details.pairs.map((pair, at) => batt.element("button", {
      type: "button", "aria-pressed": "false", onclick: event => {
        const isOpen = event.currentTarget.getAttribute("aria-pressed") === "true";
        buttons.forEach(each => each.setAttribute("aria-pressed", "false"));
        shown.replaceChildren();
        if (isOpen) return;
        event.currentTarget.setAttribute("aria-pressed", "true");
        const input = batt.element("li", {}, batt.element("code", {}, "I"),
          batt.grid({ rows: pair.input }, null, "I"));
        shown.append(input, ...candidate.steps[at].map(step => batt.element("li", {},
          batt.element("code", {}, step.text), batt.value(step.value, step.text))));
      },
    }, `Steps on ${pair.name}`));
    return [batt.element("div", { class: "filters", role: "group", "aria-label": `Steps of ${candidate.solver}` },
      ...buttons), shown];
  };

  // The solver itself usually comes last in its source, after its helpers, and is shown first.
  const program = each => {
    const parts = each.source.trimEnd().split(/\n{3,}(?=def )/);
    const box = (text, name) => batt.element("pre", { tabindex: 0, "aria-label": `${name} of ${each.solver}` }, text);
    const own = parts.find(part => part.startsWith(`def ${each.solver}(`)) || parts[parts.length - 1];
    const helpers = parts.filter(part => part !== own);
    return batt.element("div", {}, box(own, "Program"), helpers.length
      ? batt.element("details", {}, batt.element("summary", {}, helpers.length === 1 ? "Its helper"
        : `Its ${helpers.length} helpers`), box(helpers.join("\n\n\n"), "Helpers"))
      : null);
  };

  const candidate = (details, each) => {
    const badge = batt.element("span");
    batt.badge(badge, each.state, verdicts[each.state]);
    return batt.element("article", { class: "candidate" },
      batt.element("div", { class: "head" }, batt.element("h3", { class: "name" }, each.solver), badge),
      batt.element("div", { class: "beside" },
        program(each),
        batt.element("ul", { class: "pairs" }, ...each.outputs.map((made, at) => output(details.pairs[at], made)))),
      ...(each.steps ? steps(details, each) : []));
  };

  const show = details => {
    const fitting = details.candidates.filter(each => each.state >= 4);
    const others = details.candidates.filter(each => each.state < 4);
    const more = details.fitting - fitting.length;
    body.replaceChildren(pairs(details),
      fitting.length ? batt.element("h3", {}, `Solvers that fit: ${batt.number(details.fitting)}`) : "",
      ...fitting.map(each => candidate(details, each)),
      more > 0 ? batt.element("p", { class: "faint" }, `… and ${batt.number(more)} more that fit`) : "",
      others.length ? batt.element("h3", {}, fitting.length ? "Nearest of the others" : "Nearest solvers") : "",
      ...others.map(each => candidate(details, each)),
      details.candidates.length ? "" : batt.element("p", { class: "faint" }, "No solver gave a value here."));
  };

  const open = async tile => {
    current = tile;
    document.getElementById("task-heading").textContent = `Task ${tile.id}`;
    batt.badge(document.getElementById("task-state"), tile.state, batt.states[tile.state]);
    body.replaceChildren(batt.element("p", { class: "faint", role: "status" }, "Reading the task…"));
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    const wanted = `#task=${encodeURIComponent(tile.id)}`;
    if (location.hash !== wanted) history.replaceState(null, "", wanted);
    try {
      const details = await batt.source.task(tile.at);
      if (current !== tile) return;
      if (details) show(details);
      else {
        const why = "There was no room for the details of this task. `batt report DIR --serve` shows them.";
        body.replaceChildren(batt.element("p", { class: "faint" }, why));
      }
    } catch (error) {
      if (current === tile) {
        body.replaceChildren(batt.element("p", { class: "is-bad", role: "alert" }, `Cannot be read: ${error.message}`));
      }
    }
  };

  const move = by => {
    const shown = tiles.filter(tile => tile.isShown !== false);
    const at = shown.indexOf(current);
    if (shown.length) open(shown[(at + by + shown.length) % shown.length]);
  };

  document.getElementById("task-close").onclick = () => dialog.close();
  document.getElementById("task-previous").onclick = () => move(-1);
  document.getElementById("task-next").onclick = () => move(1);
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    current = null;
    history.replaceState(null, "", location.pathname + location.search);
  });
  dialog.addEventListener("keydown", event => {
    if (event.target.closest("pre")) return;
    if (event.key === "ArrowLeft") move(-1);
    if (event.key === "ArrowRight") move(1);
  });

  const named = id => tiles.find(tile => tile.id === id);

  return {
    open, named,
    use: found => {
      tiles = found;
      const asked = location.hash.startsWith("#task=") && named(decodeURIComponent(location.hash.slice(6)));
      if (asked && current === null) open(asked);
    },
  };
})();
