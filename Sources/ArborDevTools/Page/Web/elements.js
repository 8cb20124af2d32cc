"use strict";

/** The element of index.html with an id. */
const byId = (id) => document.getElementById(id);

/**
 * Makes an element.
 *
 * - Properties that are functions become listeners, `class` the class, and others attributes. `undefined` and `false` are
 *   left out.
 * - Children are nodes or texts. A text is never interpreted as markup.
 */
function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button that looks like a link. */
const linkButton = (text, press) => element("button", { type: "button", class: "link", click: press }, text);

/** The placeholder for content that the program has not sent yet. */
const loadingNote = () => element("p", { class: "quiet" }, "Loading…");

/** Invisible text for screen readers. */
const spoken = (text) => element("span", { class: "spoken" }, text);

/** Returns a function that calls another one at most once per frame. */
function oncePerFrame(work) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      work();
    });
  };
}

/** Returns a function that calls another one soon, but after a pause three times as long as the previous call took. */
function patiently(work) {
  let isAsked = false;
  let readyAt = 0;
  const run = () => {
    isAsked = false;
    const start = performance.now();
    work();
    const end = performance.now();
    readyAt = end + 3 * (end - start);
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    const wait = readyAt - performance.now();
    if (wait > 0) setTimeout(() => requestAnimationFrame(run), wait);
    else requestAnimationFrame(run);
  };
}

/** A number with separators between thousands. */
const countText = (count) => count.toLocaleString("en");

/** A count with its noun. */
const counted = (count, one, many = one + "s") => `${countText(count)} ${count === 1 ? one : many}`;

/** A time in microseconds, in the most readable unit. */
function durationText(microseconds) {
  if (typeof microseconds !== "number" || !Number.isFinite(microseconds)) return "not measured";
  const size = Math.abs(microseconds);
  const [value, unit] =
    size < 1 ? [microseconds * 1e3, "ns"]
    : size < 1e3 ? [microseconds, "µs"]
    : size < 1e6 ? [microseconds / 1e3, "ms"]
    : [microseconds / 1e6, "s"];
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}
