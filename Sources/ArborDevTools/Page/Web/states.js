/**
 * The states of a recording at each position.
 *
 * - A state is an object with the state of each store under the store's id. It never changes: a change copies the objects on
 *   its path.
 * - A state is kept at regular intervals, so that a jump applies only the changes after it. The intervals are longer if states
 *   are wide.
 */
class States {
  static interval = 256;

  #entries;
  #kept;
  #next = States.interval;
  #latest;

  constructor(base, entries) {
    this.#entries = entries;
    this.#kept = [{ position: 0, state: base }];
    this.#latest = this.#kept[0];
  }

  /** Returns the state after a number of entries. */
  at(position) {
    const start = this.#nearest(position);
    let { state } = start;
    let copies = { owned: new Set(), width: 0 };
    for (let place = start.position; place < position; place += 1) {
      state = applying(this.#entries[place].changes, state, copies);
      if (place + 1 === this.#next) {
        this.#kept.push({ position: place + 1, state });
        this.#next += Math.max(States.interval, Math.ceil(copies.width / 20));
        copies = { owned: new Set(), width: 0 };
      }
    }
    this.#latest = { position, state };
    return state;
  }

  /** Returns the states before and after an entry. They share everything that the entry did not change. */
  around(position) {
    if (position === 0) return { before: undefined, after: this.at(0) };
    const before = this.at(position - 1);
    return { before, after: this.at(position) };
  }

  #nearest(position) {
    let low = 0;
    let high = this.#kept.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#kept[middle].position <= position) low = middle;
      else high = middle - 1;
    }
    const kept = this.#kept[low];
    const latest = this.#latest;
    return latest.position <= position && latest.position > kept.position ? latest : kept;
  }
}

/** Returns `true` for a path, with or without a value to set there. Other elements in a list of changes are ignored. */
function isChange(change) {
  if (!Array.isArray(change) || !Array.isArray(change[0]) || change[0].length === 0) return false;
  return change[0].every((key) => typeof key === "string" || typeof key === "number");
}

/** Returns a state with changes applied in order. It writes only to objects that are in `copies`. */
function applying(changes, state, copies) {
  if (!Array.isArray(changes)) return state;
  let root = state;
  for (const change of changes) {
    if (!isChange(change)) continue;
    root = writable(root, copies);
    const [path] = change;
    let place = root;
    for (let depth = 0; place !== undefined && depth < path.length - 1; depth += 1) {
      place = writableChild(place, path[depth], copies);
    }
    if (place === undefined) continue;
    const key = path[path.length - 1];
    if (change.length > 1) put(place, key, change[1]);
    else remove(place, key);
  }
  return root;
}

function writable(value, copies) {
  if (copies.owned.has(value)) return value;
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  copies.owned.add(copy);
  copies.width += Array.isArray(value) ? value.length : Object.keys(value).length;
  return copy;
}

function writableChild(place, key, copies) {
  const child = own(place, key);
  if (child === missing || !isContainer(child)) return undefined;
  const copy = writable(child, copies);
  if (copy !== child) put(place, key, copy);
  return copy;
}

function put(place, key, value) {
  if (Array.isArray(place)) {
    if (Number.isInteger(key) && key >= 0 && key <= place.length) place[key] = value;
  } else if (key === "__proto__") {
    Object.defineProperty(place, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    place[key] = value;
  }
}

function remove(place, key) {
  if (!Array.isArray(place)) {
    delete place[key];
  } else if (key === place.length - 1) {
    place.pop();
  }
}

/** Returns the value at a path, or `missing`. */
function valueAt(state, path) {
  let value = state;
  for (const key of path) {
    if (!isContainer(value)) return missing;
    value = own(value, key);
  }
  return value;
}
