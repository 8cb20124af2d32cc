/** The first keys of a cache's actions that name an entry. */
const requestActions = new Set(["observed", "answered", "ended", "failed", "prefetch", "refetch", "invalidateEntry"]);

const hasKeys = (value, keys) => kindOf(value) === "object" && keys.every((key) => Object.hasOwn(value, key));
const isRequestID = (value) => hasKeys(value, ["name", "argument"]);
const isCache = (value) => hasKeys(value, ["entries", "observers", "changes", "fetches"]);

/** The name of a request with its argument. */
const nameOf = (id) => `${visible(String(id.name), 80)}(${visible(String(id.argument), 80)})`;

/** The records of a table, which is a list, or an object whose keys are ids. */
const recordsIn = (table) => (kindOf(table) === "object" ? keysOf(table).map((key) => table[key]) : listed(table));

/** The name of an enum's case, which is written as a key, as a text, or as a description with a dot. */
const caseText = (value) => visible(String(kindOf(value) === "object" ? keysOf(value)[0] : value ?? "").replace(/^\./, ""), 80);

const foundCaches = new WeakMap();

/** Returns the paths of the caches of requests in a value. It searches each object once, but no large tables. */
function cachesIn(value, depth = 0) {
  if (kindOf(value) !== "object" || depth > 8 || childCount(value) > 500) return [];
  if (!foundCaches.has(value)) {
    const below = () => keysOf(value).flatMap((key) => cachesIn(value[key], depth + 1).map((path) => [key, ...path]));
    foundCaches.set(value, isCache(value) ? [[]] : below());
  }
  return foundCaches.get(value);
}

/** Returns the keys around a cache's action in an action of the program, and its time in the cache; `undefined` for others. */
function requestAction(action) {
  const keys = [];
  for (let value = action; kindOf(value) === "object" && childCount(value) === 1; ) {
    const [key] = keysOf(value);
    value = value[key];
    if (requestActions.has(key) && kindOf(value) === "object" && Object.values(value).some(isRequestID)) {
      return { keys, at: microsecondsOf(value.at) };
    }
    keys.push(key);
  }
  return undefined;
}

/** A duration in microseconds. It is written as the two halves of its attoseconds, or described as seconds. */
function microsecondsOf(value) {
  const time = Array.isArray(value) ? (Number(value[0]) * 2 ** 64 + Number(value[1])) / 1e12 : parseFloat(value) * 1e6;
  return Number.isFinite(time) ? time : undefined;
}

/** A duration as the two halves of its attoseconds, with the digits that a number has. */
function halvesOf(microseconds) {
  const attoseconds = BigInt(Math.max(0, Math.round(microseconds))) * 10n ** 12n;
  return [Number(attoseconds >> 64n), Number((attoseconds & (2n ** 64n - 1n)) >> 12n) * 4096];
}

/** The caches of requests in the shown state: their entries, and the changes that the server has not confirmed. */
class RequestView {
  #page;
  #rows;
  #tree;
  #items = [];
  #chosen;

  constructor(page) {
    this.#page = page;
    this.#rows = new Rows(byId("requests"), this);
    this.#tree = new ValueTree(byId("requests-value"));
    this.#tree.expanded.set("value", new Map());
    const commands = {
      refetch: ({ entry }) => ({ refetch: { _0: entry.id } }),
      stale: ({ entry }) => ({ invalidateEntry: { _0: entry.id } }),
      cancel: ({ change }) => ({ cancelChange: { _0: change.id } }),
    };
    for (const [id, make] of Object.entries(commands)) {
      byId(`requests-${id}`).addEventListener("click", () => this.#dispatch(make(this.#item)));
    }
    byId("requests-fail").addEventListener("click", () => byId("fail").showModal());
    byId("fail").addEventListener("close", () => {
      if (byId("fail").returnValue === "fail") this.#fail(byId("fail-reason").value);
      byId("fail").returnValue = "";
    });
  }

  /** `true` if there is a cache in the shown state. */
  get hasCaches() {
    return cachesIn(this.#page.shownState).length > 0;
  }

  show() {
    const state = this.#page.shownState;
    const paths = cachesIn(state);
    this.#items = paths.flatMap((path) => this.#itemsOf(path, valueAt(state, path)));
    const count = this.#items.length - paths.length;
    byId("requests-span").textContent = paths.length === 0 ? "There is no cache at this moment" : `${counted(count, "row")}; ages are those at the moment on this page`;
    this.#rows.refresh(this.#items.findIndex((item) => item.key === this.#chosen));
    this.#detail();
  }

  refresh() {
    this.show();
  }

  // MARK: The rows of a cache

  #itemsOf(path, cache) {
    const learned = this.#learn(path);
    const flags = [cache.isOnline === false ? "offline" : "online", cache.isActive === false ? "inactive" : "active"].join(", ");
    const items = [{ level: 1, name: pathText(path), state: flags, texts: [], facts: [["Cache", pathText(path)], ["State", flags]], value: cache }];
    const observed = new Map();
    for (const observer of recordsIn(cache.observers)) {
      if (!isContainer(observer) || !isRequestID(observer.current)) continue;
      const name = nameOf(observer.current);
      observed.set(name, (observed.get(name) ?? 0) + 1);
    }
    for (const key of kindOf(cache.entries) === "object" ? keysOf(cache.entries) : []) {
      items.push({ level: 2, learned, ...this.#entry(cache.entries[key], observed, learned, key) });
    }
    for (const change of recordsIn(cache.changes)) if (isContainer(change)) items.push({ level: 2, learned, ...this.#change(change) });
    return items.map((item, index) => ({ ...item, key: `${pathText(path)} ${item.level} ${item.name}`, position: item.level === 1 ? 1 : index, size: item.level === 1 ? 1 : items.length - 1 }));
  }

  #entry(entry, observed, { zero }, key) {
    if (!isContainer(entry) || !isRequestID(entry.id)) return { name: visible(key, 120), state: "", texts: [leafText(entry, 120)], facts: [], value: entry };
    const answer = entry.patched ?? entry.answer;
    const state = entry.isWaiting ? "waiting" : isContainer(entry.failure) ? "failed" : answer === undefined || answer === null ? "idle" : entry.isStale ? "stale" : "loaded";
    const isFetching = typeof entry.fetch === "number";
    const status = !isFetching ? state : state === "idle" ? "loading" : `${state}, fetching`;
    const at = microsecondsOf(entry.answeredAt);
    const age = at === undefined ? undefined : zero === undefined || this.#page.time === undefined
      ? `at ${durationText(at)} of the cache’s clock` : `${durationText(Math.max(0, this.#page.time - zero - at))} ago`;
    const cause = caseText(entry.cause);
    const failure = isContainer(entry.failure) ? `${caseText(entry.failure.kind)}: ${visible(String(entry.failure.reason), 2000)}` : undefined;
    const name = nameOf(entry.id);
    const count = observed.get(name) ?? 0;
    return {
      name, state: status, entry, isFetching, value: hasKeys(answer, ["value"]) ? answer.value : answer,
      texts: [age ?? "no answer", counted(count, "observer"), cause && `started by ${cause}`, failure],
      facts: [["Request", name], ["Status", status], ["Answered", age], ["Observers", countText(count)], ["Started by", cause || undefined], ["Failure", failure]],
    };
  }

  #change(change) {
    const input = hasKeys(change.input, ["value"]) ? change.input.value : change.input;
    const name = `change ${visible(String(change.name), 80)}`;
    const state = caseText(change.status);
    return { name: `${name} ${idText(change.id, 40)}`, state, change, value: input, texts: [preview(input)], facts: [["Change", name], ["Status", state], ["Key", idText(change.id, 80)]] };
  }

  /** Finds the keys around the actions of a cache, and the time of the recording at which its clock began. */
  #learn(path) {
    const { recording } = this.#page;
    const isReachable = recording.stores.get(Number(path[0]))?.parent === null;
    let keys, zero;
    for (let place = recording.length - 1; place >= 0 && place > recording.length - 5000; place -= 1) {
      const { action, changes } = recording.entries[place];
      const found = requestAction(action);
      if (found === undefined) continue;
      if (found.at !== undefined) zero ??= (recording.time(place) ?? NaN) - found.at;
      if (isReachable && listed(changes).some((change) => isChange(change) && path.every((key, depth) => change[0][depth] === key))) keys ??= found.keys;
      if (keys !== undefined && zero !== undefined) break;
    }
    return { keys, zero: Number.isFinite(zero) ? zero : undefined };
  }

  // MARK: The chosen row

  get #item() {
    return this.#items[this.#rows.active];
  }

  #detail() {
    const item = this.#item;
    byId("requests-facts").replaceChildren(item ? factList(item.facts) : element("p", { class: "quiet" }, "Nothing is selected."));
    byId("requests-value").hidden = item?.value === undefined || item.value === null;
    this.#tree.show(item ? { value: item.value ?? null } : {});
    byId("requests-commands").hidden = this.#page.live === undefined;
    const canSend = item?.learned?.keys !== undefined;
    const possible = { refetch: item?.entry, stale: item?.entry, fail: item?.isFetching, cancel: item?.change };
    for (const [id, isPossible] of Object.entries(possible)) byId(`requests-${id}`).disabled = !canSend || !isPossible;
  }

  #dispatch(action) {
    this.#page.live.dispatch(this.#item.learned.keys.reduceRight((inner, key) => ({ [key]: inner }), action));
  }

  #fail(reason) {
    const { isFetching, entry, learned } = this.#item ?? {};
    if (!isFetching || learned.keys === undefined) return;
    const at = halvesOf((this.#page.recording.time(this.#page.recording.length - 1) ?? 0) - (learned.zero ?? 0));
    this.#dispatch({ failed: { fetch: entry.fetch, _1: entry.id, _2: { kind: "thrown", reason }, at } });
  }

  // MARK: The source of the rows

  get count() {
    return this.#items.length;
  }

  level(index) {
    return this.#items[index].level;
  }

  row(index) {
    const { level, position, size, name, state, texts } = this.#items[index];
    return {
      content: [
        element("span", { class: "name" }, name),
        element("span", { class: "state" }, ` ${state} `),
        element("span", { class: "text quiet" }, texts.filter((text) => text).join(" · ")),
      ],
      level, position, size, isExpanded: undefined,
    };
  }

  choose() {
    this.#chosen = this.#item?.key;
    this.#detail();
  }

  toggle() {}
}
