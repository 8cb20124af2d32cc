/**
 * A search for the changes of a typed path.
 *
 * - `cart.items[0].count`: consecutive keys anywhere in a path. The last may be the beginning of a key, and `*` is any key.
 * - `#2` at the beginning: only changes of one store, with a path from the top of its state.
 * - `=5` at the end: only changes to the value 5. Strings may have quotes or not.
 * - A change that sets a value around the path counts if the value contains the path, from the top of a state.
 */
class PathSearch {
  constructor(text) {
    const parts = /^\s*(?:#(\S+)\s*)?([^=]*?)\s*(?:=\s*(.*?)\s*)?$/s.exec(text) ?? [];
    this.store = parts[1];
    this.keys = keysOfText(parts[2] ?? "").map((key) => key.toLowerCase());
    this.value = parts[3];
    this.isEmpty = this.store === undefined && this.keys.length === 0 && this.value === undefined;
  }

  /** Returns `true` if one of an entry's changes matches. */
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
    // A value around the path was set: it must contain the rest of the path.
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

/** The keys of a typed path, separated by points, slashes and brackets. A key in quotes may contain any characters. */
function keysOfText(text) {
  const keys = [];
  for (const [, quoted, plain] of text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s./[\]"]+)/g)) {
    keys.push(plain ?? quoted.replace(/\\(.)/g, "$1"));
  }
  return keys;
}
