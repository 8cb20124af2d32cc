/** The filter of the list of actions. */
class Filter {
  constructor({ text = "", path = "", store = "", outcome = "" } = {}) {
    this.text = text.trim().toLowerCase();
    this.path = new PathSearch(path);
    this.store = store;
    this.outcome = outcome;
  }

  get isEmpty() {
    return !this.text && this.path.isEmpty && !this.store && !this.outcome;
  }

  /** Returns `true` if an entry matches. */
  takes(entry) {
    if (this.store && String(entry.store) !== this.store) return false;
    if (this.outcome && !this.#hasOutcome(entry)) return false;
    if (this.text && !this.#hasText(entry)) return false;
    return this.path.finds(entry);
  }

  #hasOutcome(entry) {
    if (this.outcome === "skipped" || this.outcome === "barrier") return entry[this.outcome] === true;
    if (this.outcome === "changed") return Array.isArray(entry.changes) && entry.changes.length > 0;
    return entry.outcome === this.outcome;
  }

  #hasText(entry) {
    if (`#${entry.number}` === this.text) return true;
    return [entry.text, entry.name, entry.replacement].some(
      (text) => typeof text === "string" && text.toLowerCase().includes(this.text)
    );
  }
}

/**
 * The rows of the list of actions, from top to bottom.
 *
 * - If the list is grouped, an entry is below its cause, and a collapsed entry has nothing below it.
 * - If the list is filtered, the causes of a shown entry are also shown, as its context.
 */
class Listing {
  places = [];
  levels = [];
  positions = [];
  sizes = [];

  constructor(recording, { filter, isGrouped, collapsed }) {
    this.recording = recording;
    this.taken = new Uint8Array(recording.length);
    this.matches = 0;
    for (let place = 0; place < recording.length; place += 1) {
      if (filter.isEmpty || filter.takes(recording.entries[place])) {
        this.taken[place] = 1;
        this.matches += 1;
      }
    }
    if (isGrouped) this.#group(collapsed);
    else this.#line();
  }

  #line() {
    for (let place = 0; place < this.recording.length; place += 1) {
      if (this.taken[place]) this.#push(place, 1, this.places.length + 1, this.matches);
    }
  }

  #group(collapsed) {
    const { parents, caused, entries } = this.recording;
    const shown = this.taken.slice();
    // Causes come first, so one pass from the end finds all causes of the shown entries.
    for (let place = parents.length - 1; place >= 0; place -= 1) {
      if (shown[place] && parents[place] >= 0) shown[parents[place]] = 1;
    }
    this.shown = shown;
    const roots = [];
    for (let place = 0; place < parents.length; place += 1) if (shown[place] && parents[place] < 0) roots.push(place);
    const open = [{ places: roots, next: 0 }];
    while (open.length > 0) {
      const siblings = open[open.length - 1];
      if (siblings.next === siblings.places.length) {
        open.pop();
        continue;
      }
      const place = siblings.places[siblings.next];
      siblings.next += 1;
      this.#push(place, open.length, siblings.next, siblings.places.length);
      const children = caused.get(place)?.filter((child) => shown[child]);
      if (children?.length && !collapsed.has(entries[place].number)) open.push({ places: children, next: 0 });
    }
  }

  #push(place, level, position, size) {
    this.places.push(place);
    this.levels.push(level);
    this.positions.push(position);
    this.sizes.push(size);
  }

  /** Returns `true` if entries that an entry caused are shown, or would be if the entry were expanded. */
  hasCaused(place) {
    return this.shown !== undefined && (this.recording.caused.get(place)?.some((child) => this.shown[child]) ?? false);
  }

  /** Returns the row of an entry; -1 if it has none. */
  rowOf(place) {
    return this.places.indexOf(place);
  }

  /** Returns the row of an entry, or of its nearest cause that has one; -1 if there is none. */
  rowAround(place) {
    for (let at = place; at >= 0; at = this.recording.parents[at]) {
      const row = this.rowOf(at);
      if (row >= 0) return row;
    }
    return -1;
  }
}
