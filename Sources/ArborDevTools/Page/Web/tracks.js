/** A list of stores or tasks, each with a bar for its duration in the recording. */
class Tracks {
  #page;
  #rows;
  #span;
  #end = 1;
  #detail;

  /** `items` are `{level, position, size, name, state, began, ended, chosen}`; `chosen` returns the content of the detail. */
  constructor(page, name, role) {
    this.#page = page;
    this.#span = byId(`${name}-span`);
    this.#detail = byId(`${name}-detail`);
    this.items = [];
    this.#rows = new Rows(byId(name), this, role);
  }

  show(items, empty) {
    this.items = items;
    this.#end = this.#page.recording.end;
    this.#span.textContent = items.length === 0 ? (this.#page.isLoading ? "Loading…" : empty) : `${counted(items.length, "row")} over ${durationText(this.#end)}; the line marks the moment on this page`;
    this.#rows.refresh();
    if (this.#rows.active < 0) this.#detail.replaceChildren(element("p", { class: "quiet" }, "Nothing is selected."));
  }

  /** Shows the time of the page's position. */
  refresh() {
    this.#rows.draw();
  }

  activate(index) {
    this.#rows.activate(index);
    this.choose(index);
  }

  get count() {
    return this.items.length;
  }

  level(index) {
    return this.items[index].level;
  }

  row(index) {
    const { level, position, size, name, state, began, ended } = this.items[index];
    const start = this.#share(began);
    const bar = element("span", { class: `bar ${state}` });
    bar.style.left = `${start}%`;
    bar.style.width = `${Math.max(0, this.#share(typeof ended === "number" ? ended : this.#end) - start)}%`;
    const now = element("span", { class: "now" });
    const time = this.#page.time;
    now.hidden = time === undefined;
    now.style.left = `${this.#share(time ?? 0)}%`;
    const until = typeof ended === "number" ? ended : this.#end;
    const length = typeof began === "number" ? `${durationText(until - began)}${ended === undefined ? ", so far" : ""}` : "";
    return {
      content: [
        element("span", { class: "name" }, name),
        element("span", { class: "state" }, ` ${state} `),
        element("span", { class: "when" }, length),
        element("span", { class: "lane", "aria-hidden": "true" }, bar, now),
      ],
      level, position, size, isExpanded: undefined,
    };
  }

  #share(time) {
    return typeof time === "number" ? Math.max(0, Math.min(100, (time / this.#end) * 100)) : 0;
  }

  choose(index) {
    const item = this.items[index];
    if (item) this.#detail.replaceChildren(...item.chosen());
  }

  toggle() {}
}

/** A list of facts. */
function factList(facts) {
  const list = element("dl", { class: "facts" });
  for (const [title, content] of facts) {
    if (content !== undefined) list.append(element("dt", {}, title), element("dd", {}, content));
  }
  return list;
}
