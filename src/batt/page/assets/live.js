// The page of a run that goes on: events move the figures, and the overview is fetched again when more is solved.
"use strict";

batt.live = (() => {
  const byId = id => document.getElementById(id);
  const again_ms = 12000;
  let overview = null, last = null, events = null, fetched_ms = 0, isFetching = false, seen = -1;

  const get = async path => {
    const answer = await fetch(path, { credentials: "omit" });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return answer.json();
  };

  const bytes = value => value === null ? "" : value >= 2 ** 30 ? `${(value / 2 ** 30).toFixed(1)} GiB`
    : `${batt.number(value / 2 ** 20)} MiB`;

  const load = rows => {
    byId("load").hidden = !rows.length;
    byId("load-box").replaceChildren(batt.table("Measured every two seconds", [
      ["device or process", "name"],
      ["load", "load", value => value === null ? "" : `${Math.round(value)} %`],
      ["memory", "used_bytes", bytes], ["of", "total_bytes", bytes],
    ], rows));
  };

  const log = lines => {
    const list = byId("log-lines");
    byId("log").hidden = byId("log-link").hidden = !lines.length;
    if (list.childElementCount === lines.length) return;
    list.replaceChildren(...lines.map(([at, line]) => batt.element("li", {}, at ? `${at} ${line}` : line)));
    list.scrollTop = list.scrollHeight;
  };

  const progress = figures => {
    const percent = figures.total ? Math.floor(100 * figures.done / figures.total) : 0;
    byId("progress").hidden = last.state !== "running";
    byId("progress").setAttribute("aria-valuenow", percent);
    byId("progress").firstElementChild.style.width = `${percent}%`;
  };

  // Tiles turn green as tasks are solved; the next overview has the rest.
  const mark = places => {
    const found = new Set(places);
    let changed = false;
    for (const tile of batt.page.tiles()) {
      if (tile.state < 4 && found.has(tile.at)) {
        tile.state = overview.figures.answers_known === false ? 4 : 5;
        batt.page.mark(tile);
        tile.button.classList.add("is-new");
        changed = true;
      }
    }
    if (changed) batt.page.showFilters();
  };

  const refresh = async () => {
    if (isFetching) return;
    isFetching = true;
    try {
      const found = await get("overview");
      if (!found) return;
      overview = found;
      fetched_ms = performance.now();
      batt.page.show(overview);
      apply();
      if (found.state !== "running") batt.page.ops(await get("ops"));
    } finally {
      isFetching = false;
    }
  };

  // Show the last event, which is newer than any overview.
  const apply = () => {
    progress(last.figures);
    load(last.load);
    log(last.log);
    if (!overview) {
      byId("message").textContent = "The run has not begun yet.";
      return;
    }
    byId("message").textContent = last.is_last ? "The run has ended, and its page is no longer served." : "";
    document.documentElement.dataset.ready = "yes";
    batt.page.state(last.state);
    batt.page.figures({ ...overview.figures, ...last.figures, is_running: last.state === "running" });
    batt.rates.show(last.history);
    batt.page.causes({ ...overview.causes, ...causes(last.figures) });
    if (last.figures.solved) mark(last.figures.solved);
  };

  const receive = async told => {
    const hasChanged = last !== null && last.state !== told.state;
    last = told;
    apply();
    if (told.is_last) events.close();
    const isDue = performance.now() - fetched_ms > again_ms && !byId("task").open && told.figures.done !== seen;
    if (told.is_last || !(overview === null || hasChanged || told.state === "running" && isDue)) return;
    seen = told.figures.done;
    await refresh();
  };

  const causes = figures => {
    if (!figures.statuses) return { deferred: figures.deferred };
    const words = Object.entries(figures.statuses).map(([word, count]) => [word.replace("_", " "), count]);
    return { deferred: figures.deferred, outcomes: Object.fromEntries(words) };
  };

  const start = () => {
    batt.source = { task: at => get(`task/${at}`) };
    events = new EventSource("events");
    events.onmessage = event => receive(JSON.parse(event.data)).catch(error => {
      if (!last.is_last) byId("message").textContent = error.message;
    });
    events.onerror = () => {
      if (!last || !last.is_last) byId("message").textContent = "The connection is lost; the figures are the last ones.";
    };
  };

  return { start };
})();
