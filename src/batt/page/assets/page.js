// The page: where its data come from, the figures, the wall, the tables.
"use strict";

batt.states = ["not run", "no solver fits", "no solver fits", "nearly", "fits, not correct", "solved"];

// A file holds its data in blocks that are decoded when they are needed.
batt.source = (() => {
  const read = async name => {
    const block = document.getElementById(name);
    if (!block) return null;
    const bytes = Uint8Array.from(atob(block.textContent), char => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  };
  return { overview: () => read("overview"), task: at => read(`task-${at}`) };
})();

batt.page = (() => {
  const byId = id => document.getElementById(id);
  const filters = [
    ["All", () => true], ["Solved", tile => tile.state === 5], ["Fits, not correct", tile => tile.state === 4],
    ["Nearly", tile => tile.state === 3], ["Others", tile => tile.state < 3],
  ];
  let tiles = [], chosen = 0, leftOut = 0;

  const clock = value => value < 120 ? `${value.toFixed(1)} s` : value < 7200 ? `${batt.number(value / 60)} min`
    : `${(value / 3600).toFixed(1)} h`;

  const remaining = found => found.done < found.total && found.rate && found.is_running
    ? `, about ${clock((found.total - found.done) / found.rate)} left` : "";

  const figures = found => {
    const isKnown = found.answers_known !== false;
    const of = total => `of ${batt.number(total)}`;
    const tiers = Object.entries(found.tiers);
    const unit = found.unit || "evaluations";
    const rows = [
      [found.done === found.total ? unit : `${of(found.total)} ${unit}`, batt.number(found.done)],
      [`${unit} per second`, found.rate ? batt.number(found.rate) : "–"],
      ...(isKnown ? [[`${of(found.tasks)} tasks solved`, batt.number(found.correct)]] : []),
      [`${of(found.tasks)} tasks fitted${isKnown ? "" : ", answers unknown"}`, batt.number(found.fits)],
      [`${of(found.solvers)} solvers fit a task`, batt.number(found.solvers_that_fit)],
      [`time${remaining(found)}`, clock(found.wall_s)],
      ...(tiers.length > 1 ? tiers : []).map(([tier, count]) => [`finished by ${tier}`, batt.number(count)]),
      ...Object.entries(found.workers).map(([worker, count]) => [`finished by ${worker}`, batt.number(count)]),
    ];
    byId("figures").replaceChildren(...rows.map(([name, value]) => batt.element("div", {},
      batt.element("dt", {}, name), batt.element("dd", {}, value))));
  };

  const drawn = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      drawn.unobserve(target);
      batt.thumbnail(target.querySelector("img"), tiles[Number(target.dataset.at)].thumbnail, 64);
    }
  }, { rootMargin: "600px" });

  const labelled = tile => {
    const by = tile.fitting ? `, ${batt.number(tile.fitting)} solver${tile.fitting === 1 ? "" : "s"} fit` : "";
    return `Task ${tile.id}: ${batt.states[tile.state]}${by}`;
  };

  const mark = tile => {
    tile.button.className = `tile state-${tile.state}`;
    tile.button.setAttribute("aria-label", labelled(tile));
    tile.button.title = labelled(tile);
    tile.button.querySelector(".id").dataset.mark = ["", "", "", "≈", "✗", "✓"][tile.state];
  };

  const wall = found => {
    leftOut = found.left_out;
    const isSame = tiles.length === found.tiles.length && tiles.every((tile, at) => tile.id === found.tiles[at].id);
    if (isSame) {
      tiles.forEach((tile, at) => {
        [tile.state, tile.fitting] = [found.tiles[at].state, found.tiles[at].fitting];
        mark(tile);
      });
      filter();
      return;
    }
    tiles = found.tiles;
    byId("wall").replaceChildren(...tiles.map((tile, at) => {
      tile.button = batt.element("button", { type: "button", onclick: () => batt.task.open(tile) },
        batt.element("img", { alt: "" }), batt.element("span", { class: "id" }, tile.id));
      tile.item = batt.element("li", { "data-at": at }, tile.button);
      mark(tile);
      drawn.observe(tile.item);
      return tile.item;
    }));
    filter();
    batt.task.use(tiles);
  };

  const filter = () => {
    const words = byId("search").value.trim().toLowerCase();
    let count = 0;
    for (const tile of tiles) {
      tile.isShown = filters[chosen][1](tile) && tile.id.toLowerCase().includes(words);
      tile.item.hidden = !tile.isShown;
      count += tile.isShown;
    }
    const more = leftOut ? `; ${batt.number(leftOut)} more are not on the wall` : "";
    byId("tasks-note").textContent = `${batt.number(count)} of ${batt.number(tiles.length)} tasks${more}`;
  };

  const showFilters = () => byId("filters").replaceChildren(...filters.map(([name, chooses], at) => {
    const count = tiles.filter(chooses).length;
    return batt.element("button", { type: "button", "aria-pressed": String(at === chosen), onclick: () => {
      chosen = at;
      showFilters();
      filter();
    } }, `${name} ${batt.number(count)}`);
  }));

  const seconds = value => value < .001 ? `${(1e6 * value).toFixed(0)} µs` : value < 1 ? `${(1e3 * value).toFixed(1)} ms`
    : `${value.toFixed(2)} s`;

  const slowest = found => {
    byId("slowest-solvers").replaceChildren(found.solvers.length
      ? batt.table("Solvers by the time of all their evaluations, as the run measured it",
        [["solver", "solver"], ["time", "time_s", seconds], ["steps", "steps", batt.number],
          ["evaluations", "evaluations", batt.number]], found.solvers)
      : batt.element("p", { class: "faint" }, "The run noted no times."));
    ops(found.ops);
  };

  const ops = found => {
    if (!found) return;
    const sampled = `Ops by their own time on ${batt.number(found.evaluations)} of the evaluations, run again on the CPU`;
    byId("slowest-ops").replaceChildren(found.rows.length
      ? batt.table(sampled, [["op", "op"], ["time", "time_s", seconds], ["share", "share", value => `${(100 * value).toFixed(1)} %`],
        ["calls", "calls", value => value === null ? "" : batt.number(value)]], found.rows)
      : batt.element("p", { class: "faint" }, found.note));
  };

  const causes = found => {
    const titles = { outcomes: ["Outcomes", "outcome"], errors: ["Errors raised", "error"],
      stopped: ["Of those timed out", "cause"], deferred: ["Deferred to the reference engine", "cause"] };
    byId("causes-tables").replaceChildren(...Object.entries(titles).map(([key, [title, heading]]) => {
      const rows = Object.entries(found[key]).filter(([, count]) => count).map(([cause, count]) => ({ cause, count }));
      if (!rows.length && key === "stopped") return "";
      return rows.length ? batt.table(title, [[heading, "cause"], ["evaluations", "count", batt.number]], rows)
        : batt.element("p", { class: "faint" }, `${title}: none`);
    }));
  };

  const state = word => batt.badge(byId("state"), word === "finished" ? 5 : word === "running" ? 3 : 4, word);

  const show = found => {
    batt.palette = found.palette;
    byId("title").textContent = found.title;
    document.title = `${found.title} · batt`;
    state(found.state);
    figures(found.figures);
    batt.rates.show(found.history);
    wall(found.wall);
    showFilters();
    batt.matrix.show(found.matrix);
    slowest(found.slowest);
    causes(found.causes);
    byId("run-rows").replaceChildren(...found.rows.flatMap(([name, value]) =>
      [batt.element("dt", {}, name), batt.element("dd", {}, value)]));
    byId("notes").replaceChildren(...found.notes.map(line => batt.element("li", {}, line)));
  };

  byId("search").addEventListener("input", () => filter());

  const start = async () => {
    try {
      show(await batt.source.overview());
      byId("message").textContent = "";
    } catch (error) {
      byId("message").textContent = `The page cannot be shown: ${error.message}`;
      throw error;
    }
    document.documentElement.dataset.ready = "yes";
  };

  return { start, show, state, figures, causes, ops, mark, tiles: () => tiles, showFilters };
})();
