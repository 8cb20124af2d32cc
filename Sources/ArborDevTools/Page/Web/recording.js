const outcomes = ["reduced", "replaced", "dropped", "held", "revoked", "failed"];

/** The elements of a list; none if the value isn't a list. */
const listed = (list) => (Array.isArray(list) ? list : []);

/** An entry whose ids are numbers or texts. Other values are replaced by texts. */
function entryOf(written) {
  const { number, store, cause } = written;
  if (![number, store, cause?.action, cause?.task].some(isContainer)) return written;
  const sound = (value) => (isContainer(value) ? preview(value, 12) : value);
  return {
    ...written, number: sound(number), store: sound(store),
    cause: isContainer(cause) ? { ...cause, action: sound(cause.action), task: sound(cause.task) } : cause,
  };
}

/** A recording in the form that the page uses: with the causes of entries, and the states at each position. */
class Recording {
  /** The entries in order. Places start at 0; the position after a place is one greater. */
  entries = [];

  /** The place of each entry's cause; -1 if no earlier entry is its cause. */
  parents = [];

  /** The places of the entries that each entry has caused directly. */
  caused = new Map();

  stores = new Map();
  tasks = new Map();

  #places = new Map();

  constructor(json) {
    if (!isContainer(json) || json.format !== "arbor-recording") throw new Error("this isn’t a recording made by Arbor");
    if (json.version !== 1) throw new Error(`its version is ${preview(json.version, 20)}, and this page reads version 1`);
    const text = (value) => (typeof value === "string" ? value : "");
    this.name = text(json.name);
    this.state = text(json.state);
    this.action = text(json.action);
    this.began = text(json.began);
    this.encoding = text(json.encoding);
    this.metrics = json.metrics;
    this.omitted = typeof json.omitted === "number" ? json.omitted : 0;
    this.position = typeof json.position === "number" ? json.position : 0;
    this.base = isContainer(json.base) ? json.base : {};
    this.states = new States(this.base, this.entries);
    this.append(json);
  }

  get length() {
    return this.entries.length;
  }

  /** Adds new entries, and new or changed stores and tasks. */
  append({ entries, stores, tasks }) {
    for (const entry of listed(entries)) this.#add(isContainer(entry) ? entry : {});
    for (const store of listed(stores)) if (isContainer(store) && !isContainer(store.id)) this.stores.set(store.id, store);
    for (const task of listed(tasks)) if (isContainer(task) && !isContainer(task.id)) this.tasks.set(task.id, task);
  }

  #add(written) {
    const entry = entryOf(written);
    const place = this.entries.push(entry) - 1;
    const parent = this.#places.get(entry.cause?.action) ?? -1;
    this.parents.push(parent);
    this.#places.set(entry.number, place);
    if (parent < 0) return;
    if (!this.caused.has(parent)) this.caused.set(parent, []);
    this.caused.get(parent).push(place);
  }

  /** Returns the place of the entry with a number, or `undefined`. */
  placeOf(number) {
    return this.#places.get(number);
  }

  /** The text of an entry on one line. */
  text(place) {
    const { text, name } = this.entries[place];
    return typeof text === "string" ? text : typeof name === "string" ? name : "an action";
  }

  /** The name of a store: its id, and the type of its state. */
  storeText(id) {
    const state = this.stores.get(id)?.state;
    return `#${idText(id, 20)}${typeof state === "string" ? ` ${visible(state, 80)}` : ""}`;
  }

  /** The time at which an entry was accepted, in microseconds since the beginning; `undefined` if it was not measured. */
  time(place) {
    const accepted = this.entries[place]?.times?.[0];
    return typeof accepted === "number" ? accepted : undefined;
  }

  /** The time of the last known event, in microseconds since the beginning. */
  get end() {
    let end = 1;
    const take = (time) => {
      if (typeof time === "number" && time > end) end = time;
    };
    for (let place = this.length - 1; place >= 0 && place > this.length - 100; place -= 1) take(this.time(place));
    for (const store of this.stores.values()) take(store.made), take(store.gone);
    for (const task of this.tasks.values()) take(task.began), take(task.ended);
    return end;
  }

  /** Returns the recording without a number of the oldest entries, which the program no longer has. */
  forgetting(count) {
    return new Recording({
      format: "arbor-recording", version: 1, name: this.name, state: this.state, action: this.action,
      began: this.began, encoding: this.encoding, base: this.states.at(count), entries: this.entries.slice(count),
      stores: [...this.stores.values()], tasks: [...this.tasks.values()], metrics: this.metrics,
      omitted: this.omitted + count, position: this.position,
    });
  }
}
