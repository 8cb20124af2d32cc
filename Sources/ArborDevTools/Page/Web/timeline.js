const stages = ["waited", "intercepted", "reduced", "performed", "delivered"];
const stageTitles = {
  waited: "Waited in the mailbox", intercepted: "Interceptors", reduced: "Reducers", performed: "Effects", delivered: "Observers",
};

/** An entry's times as consecutive bars; `undefined` if none were measured. */
function timeBars(times) {
  if (!Array.isArray(times)) return undefined;
  const durations = stages.map((_, index) => (typeof times[index + 1] === "number" ? Math.max(0, times[index + 1]) : undefined));
  const whole = durations.reduce((sum, duration) => sum + (duration ?? 0), 0);
  const list = element("dl", { class: "times" });
  const text = (content) => element("dd", {}, element("span", {}, content));
  list.append(element("dt", {}, "Accepted"), text(`${durationText(times[0])} after the beginning`));
  let start = 0;
  for (const [index, stage] of stages.entries()) {
    const duration = durations[index];
    if (duration === undefined) continue;
    const lane = element("span", { class: "lane", "aria-hidden": "true" });
    if (duration > 0) {
      const bar = element("span", { class: `bar ${stage}` });
      bar.style.marginInlineStart = `${(start / whole) * 100}%`;
      bar.style.width = `${(duration / whole) * 100}%`;
      lane.append(bar);
    }
    start += duration;
    list.append(element("dt", {}, stageTitles[stage]), element("dd", {}, lane, element("span", {}, durationText(duration))));
  }
  list.append(element("dt", {}, "Together"), text(durationText(whole)));
  return list;
}

/** The slider for the position, with an overview of the number of changes, and of the problems. */
class Timeline {
  #page;
  #slider = byId("slider");
  #overview = byId("overview");

  constructor(page) {
    this.#page = page;
    const show = oncePerFrame(() => page.show(Number(this.#slider.value)));
    this.#slider.addEventListener("input", show);
    const moves = { first: () => 0, previous: () => page.position - 1, next: () => page.position + 1, last: () => page.recording.length };
    for (const [id, target] of Object.entries(moves)) byId(id).addEventListener("click", () => page.show(target()));
    const draw = oncePerFrame(() => this.draw());
    new ResizeObserver(draw).observe(this.#overview);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }

  /** Shows the page's position. */
  show() {
    const { position, recording, isLoading } = this.#page;
    this.#slider.max = recording.length;
    this.#slider.value = position;
    const what = position === 0 ? "before the first action" : `after ${visible(recording.text(position - 1), 80)}`;
    this.#slider.setAttribute("aria-valuetext", isLoading ? "loading" : `${position} of ${recording.length}, ${what}`);
    byId("position").textContent = isLoading ? "Loading…" : `${countText(position)} / ${countText(recording.length)}`;
    for (const id of ["first", "previous"]) byId(id).disabled = position === 0;
    for (const id of ["next", "last"]) byId(id).disabled = position === recording.length;
  }

  /** Draws the overview: a bar for the number of changes, and a mark for each outcome other than `reduced`. */
  draw() {
    const { entries } = this.#page.recording;
    const canvas = this.#overview;
    const style = getComputedStyle(canvas);
    const width = (canvas.width = Math.round(canvas.clientWidth * devicePixelRatio));
    const height = (canvas.height = Math.round(canvas.clientHeight * devicePixelRatio));
    const drawing = canvas.getContext("2d");
    if (!drawing || width === 0 || entries.length === 0) return;
    const count = Math.min(entries.length, Math.max(1, Math.floor(width / (3 * devicePixelRatio))));
    const columns = Array.from({ length: count }, () => ({ changes: 0, marks: 0 }));
    for (const [place, entry] of entries.entries()) {
      const column = columns[Math.floor((place * count) / entries.length)];
      column.changes += Array.isArray(entry.changes) ? entry.changes.length : 0;
      if (entry.outcome === "failed" || entry.outcome === "dropped" || entry.outcome === "revoked") column.marks += 1;
    }
    const most = columns.reduce((most, column) => Math.max(most, column.changes), 1);
    for (const [place, { changes, marks }] of columns.entries()) {
      const left = Math.round((place * width) / count);
      const right = Math.max(left + 1, Math.round(((place + 1) * width) / count) - devicePixelRatio);
      const tall = Math.ceil((Math.sqrt(changes / most)) * (height - 4 * devicePixelRatio));
      drawing.fillStyle = style.getPropertyValue("color");
      drawing.fillRect(left, height - tall, right - left, tall);
      drawing.fillStyle = style.getPropertyValue("outline-color");
      if (marks > 0) drawing.fillRect(left, 0, right - left, 3 * devicePixelRatio);
    }
  }
}
