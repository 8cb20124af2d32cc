/**
 * A value as a tree that can be expanded.
 *
 * - Only expanded values are visited, without recursion. A list or object shows its first 200 values, and more on request.
 * - When another value is shown, expanded paths stay expanded, and the active row stays at its path.
 * - If the previous value is known, differences are marked. Shared values aren't compared.
 */
class ValueTree {
  static step = 200;

  /** The maximum number of rows after one press of the key that expands everything below. */
  static most = 5000;

  #rows;
  #shown;
  #lines = [];
  #expanded = new Map();
  #root = missing;
  #before;
  #label;

  /** `label` returns the text of a key at the top; `shown` receives the path and the value of a row that becomes active. */
  constructor(container, { label = (key) => keysText([key]), shown = () => {} } = {}) {
    this.#label = label;
    this.#shown = shown;
    this.#rows = new Rows(container, this);
  }

  /** The expanded keys at the top. Each has a map of the expanded keys below it. */
  get expanded() {
    return this.#expanded;
  }

  /** Shows the content of a value. `before` is the value to compare it with. */
  show(root, before) {
    const path = this.pathOf(this.#rows.active);
    this.#root = root;
    this.#before = before;
    this.#flatten();
    this.#rows.refresh(Math.max(0, this.#indexOf(path)));
    this.#tell();
  }

  /** Draws the rows again, for example after they have become visible. */
  refresh() {
    this.#rows.draw();
  }

  /** Expands everything around a path, and activates its row. */
  reveal(path) {
    let expanded = this.#expanded;
    let value = this.#root;
    for (const key of path.slice(0, -1)) {
      if (!expanded.has(key)) expanded.set(key, new Map());
      value = isContainer(value) ? own(value, key) : missing;
      expanded = expanded.get(key);
    }
    this.#flatten();
    this.#rows.refresh();
    this.#rows.activate(Math.max(0, this.#indexOf(path)));
    this.#tell();
  }

  #flatten() {
    this.#lines = [];
    const open = [this.#level(this.#root, this.#before, this.#expanded)];
    while (open.length > 0) {
      const level = open[open.length - 1];
      if (level.next === level.size || level.next >= level.limit) {
        if (level.next < level.size) this.#lines.push({ level: open.length, position: level.next + 1, size: level.size, more: level });
        open.pop();
        continue;
      }
      const key = level.keys ? level.keys[level.next] : level.next;
      const value = level.value[key];
      const before = isContainer(level.before) ? own(level.before, key) : missing;
      level.next += 1;
      this.#lines.push({
        key, value, level: open.length, position: level.next, size: level.size, expanded: level.expanded,
        isChanged: level.before !== undefined && before !== value, isAdded: before === missing,
      });
      const below = level.expanded.get(key);
      if (below && childCount(value) > 0) open.push(this.#level(value, level.before === undefined ? undefined : before, below));
    }
  }

  #level(value, before, expanded) {
    const size = childCount(value);
    const keys = kindOf(value) === "object" ? keysOf(value) : undefined;
    return { value, before, expanded, keys, size, next: 0, limit: expanded.limit ?? ValueTree.step };
  }

  // MARK: The source of the rows

  get count() {
    return this.#lines.length;
  }

  level(index) {
    return this.#lines[index].level;
  }

  row(index) {
    const line = this.#lines[index];
    const { level, position, size } = line;
    if (line.more) {
      const text = `… ${countText(line.size - line.more.limit)} more: press Enter, or click, for the next`;
      return { content: [element("span", { class: "twist" }, "+"), text], level, position, size, isExpanded: false, marks: "more" };
    }
    const isOpen = childCount(line.value) > 0 ? line.expanded.has(line.key) : undefined;
    return { content: this.#content(line, isOpen), level, position, size, isExpanded: isOpen, marks: line.isChanged ? "changed" : "" };
  }

  #content({ key, value, level, isChanged, isAdded }, isOpen) {
    const kind = kindOf(value);
    const count = childCount(value);
    const text = isOpen ? (kind === "array" ? `[${countText(count)}]` : `{${countText(count)}}`) : preview(value, 160);
    const name = level === 1 ? this.#label(key) : typeof key === "number" ? `[${key}]` : visible(programKey(key), 80) || '""';
    return [
      element("span", { class: "twist", "aria-hidden": "true" }, isOpen === undefined ? "" : isOpen ? "▾" : "▸"),
      level > 16 ? element("span", { class: "depth" }, `${level} `) : undefined,
      element("span", { class: "key" }, name),
      element("span", { class: "colon" }, ": "),
      element("span", { class: `leaf ${kind}` }, text),
      isChanged ? element("span", { class: "mark" }, isAdded ? "new" : "changed") : undefined,
    ];
  }

  choose() {
    this.#tell();
  }

  toggle(index, isExpanded) {
    const line = this.#lines[index];
    if (line.more) line.more.expanded.limit = line.more.limit + ValueTree.step;
    else if (isExpanded) line.expanded.set(line.key, new Map());
    else line.expanded.delete(line.key);
    this.#flatten();
    this.#rows.refresh(index);
    this.#tell();
  }

  /** Expands everything below a row, level by level, until there are too many rows. */
  expandBelow(index) {
    const { key, value, expanded } = this.#lines[index];
    if (expanded === undefined) return;
    const waiting = [{ key, value, expanded }];
    let made = 0;
    for (let next = 0; next < waiting.length && made < ValueTree.most; next += 1) {
      const { key, value, expanded } = waiting[next];
      const count = childCount(value);
      if (count === 0) continue;
      const below = expanded.get(key) ?? new Map();
      expanded.set(key, below);
      const shown = Math.min(count, below.limit ?? ValueTree.step);
      made += shown;
      for (let place = 0; place < shown; place += 1) {
        const child = Array.isArray(value) ? place : keysOf(value)[place];
        if (isContainer(value[child])) waiting.push({ key: child, value: value[child], expanded: below });
      }
    }
    this.#flatten();
    this.#rows.refresh(index);
  }

  /** Returns the path of a row, from the top. */
  pathOf(index) {
    const path = [];
    let level = Infinity;
    for (let at = index; at >= 0 && level > 1; at -= 1) {
      const line = this.#lines[at];
      if (line === undefined || line.more || line.level >= level) continue;
      path.push(line.key);
      level = line.level;
    }
    return path.reverse();
  }

  #indexOf(path) {
    let index = -1;
    for (let depth = 0; depth < path.length; depth += 1) {
      let at = index + 1;
      while (at < this.#lines.length && !(this.#lines[at].level === depth + 1 && this.#lines[at].key === path[depth])) {
        if (this.#lines[at].level <= depth) return index;
        at += 1;
      }
      if (at === this.#lines.length) return index;
      index = at;
    }
    return index;
  }

  #tell() {
    const line = this.#lines[this.#rows.active];
    if (line === undefined) this.#shown([], missing);
    else if (!line.more) this.#shown(this.pathOf(this.#rows.active), line.value);
  }
}
