/**
 * Rows of the same height. Only the visible rows are in the document.
 *
 * - For assistive technology, they are a tree or a list: the container has the focus, and names its active row.
 * - `source.count` is the number of rows. `source.row(index)` describes a row:
 *   `{content, level, position, size, isExpanded, marks}`. `source.level(index)` returns only its level.
 * - `source.choose(index)` is called when the user changes the active row, and `source.toggle(index, isExpanded)` when the user
 *   expands or collapses a row.
 */
class Rows {
  /** The maximum number of a list's rows in the document. At most three lists are visible, so there are fewer than 200. */
  static limit = 90;

  active = -1;

  #container;
  #space = element("div", { class: "space", role: "none" });
  #source;
  #role;
  #height = 24;
  #drawn = "";

  constructor(container, source, role = "tree") {
    this.#container = container;
    this.#source = source;
    this.#role = role;
    container.tabIndex = 0;
    container.setAttribute("role", role);
    container.append(this.#space);
    container.addEventListener("scroll", oncePerFrame(() => this.#range() !== this.#drawn && this.draw()));
    container.addEventListener("keydown", (event) => this.#press(event));
    container.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(oncePerFrame(() => this.#resize())).observe(container);
  }

  /** Draws the rows after a change of size. A visible active row stays visible. */
  #resize() {
    const [first, last] = this.#drawn.split(" ").map(Number);
    if (this.active >= first && this.active <= last) this.activate(this.active);
    else this.draw();
  }

  /** Shows the current rows of the source, with an active row. */
  refresh(active = this.active) {
    this.active = Math.min(active, this.#source.count - 1);
    this.draw();
  }

  /** Activates a row, and scrolls to it. */
  activate(index) {
    this.active = index;
    this.#measure();
    if (index >= 0) this.#bringIntoSight(index);
    this.draw();
  }

  #bringIntoSight(index) {
    const { scrollTop, clientHeight } = this.#container;
    const top = index * this.#height;
    const below = top + this.#height - clientHeight;
    if (top >= scrollTop && below <= scrollTop) return;
    // A step scrolls by one row; a jump scrolls its target to the middle.
    const isStep = Math.abs(top < scrollTop ? scrollTop - top : below - scrollTop) <= 2 * this.#height;
    this.#container.scrollTop = !isStep ? top - (clientHeight - this.#height) / 2 : top < scrollTop ? top : below;
  }

  /** Puts the visible rows, and a few around them, into the document. */
  draw() {
    this.#measure();
    this.#drawn = this.#range();
    const [first, last] = this.#drawn.split(" ").map(Number);
    const rows = [];
    for (let index = first; index <= last; index += 1) rows.push(this.#row(index));
    const active = rows.find((row) => row.index === this.active)?.made;
    this.#space.replaceChildren(...rows.map((row) => row.made));
    if (active) this.#container.setAttribute("aria-activedescendant", active.id);
    else this.#container.removeAttribute("aria-activedescendant");
  }

  /** The first and the last row that should be in the document. */
  #range() {
    const { count } = this.#source;
    const { scrollTop, clientHeight } = this.#container;
    const seen = Math.min(Math.ceil(clientHeight / this.#height) + 1, Rows.limit - 8);
    const first = Math.max(0, Math.min(Math.floor(scrollTop / this.#height) - 4, count - 1));
    return `${first} ${clientHeight === 0 ? -1 : Math.min(count - 1, first + seen + 7)}`;
  }

  /** Reads the height of a row from the style, and sets the height of the space. */
  #measure() {
    const height = parseFloat(getComputedStyle(this.#container).getPropertyValue("--row-height"));
    const text = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const old = this.#height;
    this.#height = Math.round((Number.isFinite(height) ? height : 1.5) * text);
    this.#space.style.height = `${this.#source.count * this.#height}px`;
    // In a narrow window, rows are higher: the visible rows stay visible.
    if (this.#height !== old) this.#container.scrollTop *= this.#height / old;
  }

  #row(index) {
    const { content, level, position, size, isExpanded, marks } = this.#source.row(index);
    const made = element(
      "div",
      {
        class: `row${index === this.active ? " active" : ""}${marks ? ` ${marks}` : ""}`,
        id: `${this.#container.id}-row-${index}`,
        role: this.#role === "tree" ? "treeitem" : "option",
        "aria-level": this.#role === "tree" ? level : undefined,
        "aria-posinset": position,
        "aria-setsize": size,
        "aria-expanded": isExpanded === undefined ? undefined : String(isExpanded),
        "aria-selected": String(index === this.active),
      },
      ...content
    );
    made.dataset.index = index;
    made.style.top = `${index * this.#height}px`;
    made.style.height = `${this.#height}px`;
    if (level > 1) made.style.setProperty("--level", Math.min(level - 1, 16));
    return { index, made };
  }

  #click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const index = Number(row.dataset.index);
    const isTwist = event.target.closest(".twist") !== null;
    const { isExpanded } = this.#source.row(index);
    if (isTwist && isExpanded !== undefined) {
      this.#source.toggle(index, !isExpanded);
      return;
    }
    this.active = index;
    this.draw();
    this.#source.choose(index);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.#container) return;
    const { count } = this.#source;
    if (count === 0) return;
    const page = Math.max(1, Math.floor(this.#container.clientHeight / this.#height) - 1);
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count };
    if (Object.hasOwn(moves, event.key)) this.#move(this.active + moves[event.key]);
    else if (event.key === "ArrowRight") this.#expand();
    else if (event.key === "ArrowLeft") this.#collapse();
    else if (event.key === "Enter" || event.key === " ") this.#enter();
    else if (event.key === "*" && this.#source.expandBelow && this.active >= 0) this.#source.expandBelow(this.active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(index) {
    this.activate(Math.max(0, Math.min(index, this.#source.count - 1)));
    this.#source.choose(this.active);
  }

  #enter() {
    if (this.active < 0) return;
    const { isExpanded } = this.#source.row(this.active);
    if (isExpanded === undefined) this.#source.choose(this.active);
    else this.#source.toggle(this.active, !isExpanded);
  }

  #expand() {
    if (this.active < 0) return;
    const { isExpanded } = this.#source.row(this.active);
    if (isExpanded === false) this.#source.toggle(this.active, true);
    else if (isExpanded === true) this.#move(this.active + 1);
  }

  #collapse() {
    if (this.active < 0) return;
    const { isExpanded } = this.#source.row(this.active);
    if (isExpanded === true) {
      this.#source.toggle(this.active, false);
      return;
    }
    const level = this.#source.level(this.active);
    let index = this.active - 1;
    while (index >= 0 && this.#source.level(index) >= level) index -= 1;
    if (index >= 0) this.#move(index);
  }
}
