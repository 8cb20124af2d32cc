/**
 * A search for what changed a path, as one types it.
 *
 * - `cart.items[0].count`: keys that follow one another anywhere in a path; the last may be the start of a key, and `*` is any key.
 * - `#2` in front: of one store alone, and from the top of its state.
 * - `=5` behind: only where the value became 5. Strings may be written with or without quotes.
 * - A change that sets something around the path counts if what it sets has the path, from the top of a state.
 */
class PathSearch {
  constructor(text) {
    const parts = /^\s*(?:#(\S+)\s*)?([^=]*?)\s*(?:=\s*(.*?)\s*)?$/s.exec(text) ?? [];
    this.store = parts[1];
    this.keys = keysOfText(parts[2] ?? "").map((key) => key.toLowerCase());
    this.value = parts[3];
    this.isEmpty = this.store === undefined && this.keys.length === 0 && this.value === undefined;
  }

  /** `true` if one of an entry's changes is found. */
  finds(entry) {
    if (this.isEmpty) return true;
    return Array.isArray(entry.changes) && entry.changes.some((change) => this.#findsChange(change));
  }

  #findsChange(change) {
    if (!isChange(change)) return false;
    const [path] = change;
    if (this.store !== undefined && String(path[0]) !== this.store) return false;
    const keys = path.slice(1);
    const last = this.store === undefined ? keys.length - this.keys.length : 0;
    for (let start = 0; start <= last; start += 1) {
      if (this.#matches(keys, start, this.keys.length)) return this.#hasValue(change, []);
    }
    // Something around it was set: what is left of the path must be in that.
    if (keys.length >= this.keys.length || !this.#matches(keys, 0, keys.length)) return false;
    return change.length > 1 && this.#hasValue(change, this.keys.slice(keys.length));
  }

  #matches(keys, start, count) {
    if (start + count > keys.length) return false;
    for (let place = 0; place < count; place += 1) {
      const key = programKey(String(keys[start + place])).toLowerCase();
      const wanted = this.keys[place];
      const isLast = place === this.keys.length - 1 && typeof keys[start + place] === "string";
      if (wanted !== "*" && wanted !== key && !(isLast && key.startsWith(wanted))) return false;
    }
    return true;
  }

  #hasValue(change, rest) {
    let value = change.length > 1 ? change[1] : missing;
    for (const wanted of rest) {
      if (!isContainer(value)) return false;
      const key = wanted === "*" ? undefined : Object.keys(value).find((key) => key.toLowerCase() === wanted);
      if (key === undefined) return false;
      value = own(value, key);
    }
    if (this.value === undefined) return true;
    const text = leafText(value, 1000);
    return !isContainer(value) && (text === this.value || text === `"${this.value}"`);
  }
}

/** The keys of a path that was typed: parted by points, slashes and brackets; in quotes, all may be in a key. */
function keysOfText(text) {
  const keys = [];
  for (const [, quoted, plain] of text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s./[\]"]+)/g)) {
    keys.push(plain ?? quoted.replace(/\\(.)/g, "$1"));
  }
  return keys;
}
