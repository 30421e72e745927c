// The matrix of solvers and tasks: a pixel or more for each cell. Pointer and arrow keys name a cell, Enter opens it.
"use strict";

batt.matrix = (() => {
  const box = document.getElementById("matrix-box");
  const canvas = document.getElementById("matrix-canvas");
  const told = document.getElementById("matrix-cell");
  const names = ["--page", "--failed-fill", "--wrong-fill", "--near-fill", "--fits-fill", "--good-fill"];
  let data = null, scale = 1, row = 0, column = 0;

  const colors = () => {
    const style = getComputedStyle(document.documentElement);
    return names.map(name => style.getPropertyValue(name).trim());
  };

  const draw = () => {
    if (!data || !data.cells.length) return;
    const fills = colors().map(color => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16)));
    const height = data.cells.length, width = data.tasks.length;
    const image = new ImageData(width, height);
    data.cells.forEach((cells, i) => {
      for (let j = 0; j < width; j++) {
        const at = 4 * (i * width + j);
        const fill = fills[cells.charCodeAt(j) - 48];
        image.data[at] = fill[0];
        image.data[at + 1] = fill[1];
        image.data[at + 2] = fill[2];
        image.data[at + 3] = 255;
      }
    });
    const room = Math.max(200, box.parentElement.clientWidth - 24);
    scale = Math.max(1, Math.min(24, Math.floor(room / width), Math.max(2, Math.floor(900 / height))));
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d").putImageData(image, 0, 0);
    canvas.style.width = `${width * scale}px`;
    canvas.style.height = `${height * scale}px`;
  };

  const tell = () => {
    const word = batt.words[data.cells[row].charCodeAt(column) - 48];
    told.textContent = `${data.solvers[row]} on ${data.tasks[column]}: ${word}`;
  };

  const place = event => {
    const edge = canvas.getBoundingClientRect();
    const i = Math.floor((event.clientY - edge.top) / scale), j = Math.floor((event.clientX - edge.left) / scale);
    if (!data || i < 0 || j < 0 || i >= data.cells.length || j >= data.tasks.length) return false;
    [row, column] = [i, j];
    tell();
    return true;
  };

  const open = () => {
    const tile = batt.task.named(data.tasks[column]);
    if (tile) batt.task.open(tile);
  };

  canvas.addEventListener("pointermove", place);
  canvas.addEventListener("click", event => { if (place(event)) open(); });
  box.addEventListener("keydown", event => {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (!data || !data.cells.length) return;
    if (event.key === "Enter") open();
    else if (moves[event.key]) {
      event.preventDefault();
      row = Math.max(0, Math.min(data.cells.length - 1, row + moves[event.key][0]));
      column = Math.max(0, Math.min(data.tasks.length - 1, column + moves[event.key][1]));
      tell();
    }
  });
  window.addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  const legend = () => {
    const shown = colors();
    document.getElementById("matrix-legend").replaceChildren(...batt.words.map((word, at) => {
      const sign = batt.element("i");
      sign.style.background = shown[at];
      return batt.element("li", {}, sign, word);
    }));
  };

  return {
    show: found => {
      data = found;
      const left = found.left_out ? ` ${batt.number(found.left_out)} solvers that fit fewer tasks are not shown.` : "";
      document.getElementById("matrix-note").textContent =
        `A row for each of ${batt.number(found.solvers.length)} solvers and a column for each of `
        + `${batt.number(found.tasks.length)} tasks, both sorted by name.${left}`;
      document.getElementById("matrix").hidden = !found.cells.length;
      legend();
      draw();
    },
  };
})();
