// The rate of evaluations over time.
"use strict";

batt.rates = (() => {
  const box = document.getElementById("rate-chart");
  let chart = null, points = [];

  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const steps_s = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000, 86400];
  const clock = value => value < 120 ? `${value} s` : value < 7200 ? `${value / 60} min` : `${value / 3600} h`;

  // From the number of evaluations done at a time to evaluations per second between two times.
  const rates = () => {
    const times = [], found = [];
    for (let at = 1; at < points.length; at++) {
      const [before_s, before] = points[at - 1], [now_s, done] = points[at];
      if (now_s <= before_s || done < before) continue;
      times.push(now_s);
      found.push((done - before) / (now_s - before_s));
    }
    return [times, found];
  };

  const make = () => {
    const axis = { stroke: color("--faint"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } };
    const options = {
      width: box.clientWidth - 14, height: 176, cursor: { show: false }, legend: { show: false },
      scales: { x: { time: false, range: (_, low, high) => [0, Math.max(2, high)] }, y: { range: (_, low, high) => [0, Math.max(1, high * 1.1)] } },
      axes: [
        { ...axis, size: 30, space: 64, incrs: steps_s, values: (_, ticks) => ticks.map(clock) },
        { ...axis, size: 78, values: (_, ticks) => ticks.map(batt.number) },
      ],
      series: [{}, { stroke: color("--good-fill"), width: 2, fill: color("--good-shade"), points: { show: false } }],
    };
    if (chart) chart.destroy();
    chart = new uPlot(options, rates(), box);
  };

  const show = found => {
    points = found;
    const [times, shown] = rates();
    document.getElementById("rates").hidden = times.length < 2;
    if (times.length < 2) return;
    const last = batt.number(shown[shown.length - 1]), most = batt.number(Math.max(...shown));
    box.setAttribute("aria-label",
      `Evaluations per second over ${batt.number(times[times.length - 1])} seconds: last ${last}, at most ${most}`);
    if (chart) chart.setData([times, shown]);
    else make();
  };

  const again = () => { if (chart) make(); };
  window.addEventListener("resize", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  return { show };
})();
