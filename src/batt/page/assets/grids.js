// Draw grids, and make elements. All text becomes text nodes: names and sources are never read as HTML.
"use strict";

const batt = {};

batt.palette = null;
batt.words = ["not run", "failed", "wrong", "near", "fits", "correct"];

batt.element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined).map(asChild));
  return made;
};

function asChild(child) {
  return child instanceof Node ? child : String(child);
}

batt.number = value => Math.round(value).toLocaleString("en-US");

batt.fill = cell => batt.palette.cells[cell] || batt.palette.label;

const rgbOf = new Map();

function rgb(color) {
  if (!rgbOf.has(color)) rgbOf.set(color, [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16)));
  return rgbOf.get(color);
}

const scratch = document.createElement("canvas");
const drawing = scratch.getContext("2d", { willReadFrequently: true });

// A pair as a picture of a pixel for each cell, enlarged by whole numbers. An image, because a browser keeps a layer for
// each canvas, and hundreds of them make scrolling slow.
batt.thumbnail = (shown, pair, side) => {
  const grids = pair.filter(grid => grid && grid.length);
  const gap = 2;
  const height = Math.max(1, ...grids.map(rows => rows.length));
  const width = Math.max(1, grids.reduce((sum, rows) => sum + rows[0].length, gap * (grids.length - 1)));
  scratch.width = width;
  scratch.height = height;
  const image = new ImageData(width, height);
  let left = 0;
  for (const rows of grids) {
    const top = (height - rows.length) >> 1;
    rows.forEach((row, i) => {
      for (let j = 0; j < row.length; j++) {
        const at = 4 * ((top + i) * width + left + j);
        [image.data[at], image.data[at + 1], image.data[at + 2]] = rgb(batt.fill(row[j]));
        image.data[at + 3] = 255;
      }
    });
    left += rows[0].length + gap;
  }
  drawing.putImageData(image, 0, 0);
  const scale = Math.max(1, Math.min(Math.floor(side * 1.5 / width), Math.floor(side / height), 10));
  shown.width = width * scale;
  shown.height = height * scale;
  shown.src = scratch.toDataURL();
};

// A grid with lines between its cells; the cells at the places in `wrong` get a ring.
batt.grid = (picture, wrong, name, most = 200) => {
  const { rows, labels = [] } = picture;
  const height = rows.length, width = rows[0].length;
  const pitch = Math.max(4, Math.min(18, Math.floor(most / Math.max(height, width))));
  const ratio = Math.ceil(window.devicePixelRatio || 1);
  const canvas = batt.element("canvas", { role: "img", "aria-label": described(name, rows, wrong) });
  canvas.width = (width * pitch + 1) * ratio;
  canvas.height = (height * pitch + 1) * ratio;
  canvas.style.width = `${width * pitch + 1}px`;
  canvas.style.height = `${height * pitch + 1}px`;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.font = `${Math.round(pitch * .6)}px ui-monospace, monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  let label = 0;
  rows.forEach((row, i) => {
    for (let j = 0; j < width; j++) {
      context.fillStyle = batt.palette.line;
      if (row[j] !== " ") context.fillRect(j * pitch, i * pitch, pitch + 1, pitch + 1);
      context.fillStyle = batt.fill(row[j]);
      context.fillRect(j * pitch + 1, i * pitch + 1, pitch - 1, pitch - 1);
      if (row[j] === "?") {
        context.fillStyle = batt.palette.bad;
        context.fillText(labels[label++] ?? "?", (j + .5) * pitch, (i + .5) * pitch + 1);
      }
    }
  });
  for (const place of wrong || []) ring(context, place % width, Math.floor(place / width), pitch);
  return canvas;
};

function ring(context, column, row, pitch) {
  const x = (column + .5) * pitch + .5, y = (row + .5) * pitch + .5;
  for (const [size, color] of [[.34, "#000000"], [.26, "#ffffff"]]) {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, Math.max(1.2, pitch * size), 0, 7);
    context.fill();
  }
}

function described(name, rows, wrong) {
  const marked = wrong && wrong.length ? `, ${wrong.length} cells differ` : "";
  const cells = rows.length * rows[0].length <= 400 ? `: ${rows.join(" / ")}` : "";
  return `${name}, ${rows.length} by ${rows[0].length}${marked}${cells}`;
}

batt.value = (value, name, wrong) => {
  if (!value.pictures) return batt.element("pre", { tabindex: 0, "aria-label": name }, value.text);
  const many = value.pictures.length > 1;
  const shown = value.pictures.map(picture => batt.element("figure", {},
    batt.grid(picture, wrong, name, many ? 110 : 200),
    many ? batt.element("figcaption", {}, picture.note) : null));
  const more = value.more ? batt.element("span", { class: "faint" }, `… and ${batt.number(value.more)} more`) : null;
  return batt.element("div", { class: "pictures" }, ...shown, more);
};

// A table that scrolls within its own box below its caption; columns are [heading, key, format or null].
batt.table = (caption, columns, rows) => batt.element("div", {},
  batt.element("p", { class: "caption" }, caption),
  batt.element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    batt.element("table", { "aria-label": caption },
      batt.element("thead", {}, batt.element("tr", {}, ...columns.map(([heading, , format]) =>
        batt.element("th", { scope: "col", class: format ? "number" : "" }, heading)))),
      batt.element("tbody", {}, ...rows.map(row => batt.element("tr", {}, ...columns.map(([, key, format]) =>
        batt.element("td", { class: format ? "number" : "" }, format ? format(row[key]) : row[key]))))))));

batt.badge = (target, state, text) => {
  target.className = `badge ${["is-none", "is-none", "is-none", "is-none", "is-fits", "is-good"][state] || "is-none"}`;
  target.textContent = text;
  target.hidden = false;
};
