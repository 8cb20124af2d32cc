/** The page: a recording, the shown position in it, and the views. */
class Page {
  position = 0;

  /** The states of all stores at the position. */
  shownState = {};

  /** The program's position, by the program's count. */
  #program = 0;

  /** The number of older entries that the program has forgotten. Its count begins after them. */
  #omitted = 0;

  /** The live bar; `undefined` in a file. */
  live;

  /** `true` until the program has sent its recording. */
  isLoading = false;

  constructor(json, { isLoading = false } = {}) {
    this.isLoading = isLoading;
    this.recording = new Recording(json);
    this.list = new ActionList(this);
    this.timeline = new Timeline(this);
    this.entryPanel = new EntryPanel(this);
    this.tree = new ValueTree(byId("state"), {
      label: (key) => this.recording.storeText(/^\d+$/.test(key) ? Number(key) : key),
      shown: (path, value) => this.#showValue(path, value),
    });
    this.storeView = new StoreView(this);
    this.taskView = new TaskView(this);
    this.requestView = new RequestView(this);
    this.metricsView = new MetricsView(this);
    this.views = new Views(this);
    this.#opened(json);
  }

  /** The place of the selected entry; -1 before the first. */
  get place() {
    return this.position - 1;
  }

  /** The selected entry; `undefined` before the first. */
  get entry() {
    return this.recording.entries[this.place];
  }

  /** The time at which the selected entry was accepted; `undefined` if it is unknown. */
  get time() {
    return this.recording.time(this.place);
  }

  /** The number of shown entries that the program no longer has. */
  get forgotten() {
    return Math.max(0, this.#shift);
  }

  /** The number of entries between the page's first entry and the program's; negative if the page has only newer ones. */
  get #shift() {
    return this.#omitted - this.recording.omitted;
  }

  /** The program's position, by the page's count. */
  get programPosition() {
    return Math.max(0, Math.min(this.recording.length, this.#program + this.#shift));
  }

  /** The place of the entry to which the program has traveled; -1 if it is at the newest. */
  get programPlace() {
    return this.programPosition < this.recording.length ? this.programPosition - 1 : -1;
  }

  /** The number of actions that the program drops if it continues from here: the later ones, and the left-out ones. */
  get droppedByContinuing() {
    const { entries, length } = this.recording;
    const leftOut = entries.slice(0, this.programPosition).filter((entry) => entry.skipped).length;
    return Math.max(0, length - this.#program - this.#shift) + leftOut;
  }

  // MARK: Arrivals

  /** Shows another recording. `program` has the program's position by its own count, if that differs. */
  open(json, { isLive = false, program = {} } = {}) {
    const number = this.entry?.number;
    try {
      this.recording = new Recording(json);
    } catch (error) {
      tell(`The recording cannot be shown: ${error.message}.`);
      return;
    }
    this.isLoading = false;
    const place = isLive && !this.live?.isFollowing ? this.recording.placeOf(number) : undefined;
    this.#opened(json, place === undefined ? undefined : place + 1, program);
  }

  #opened(json, position, program = {}) {
    this.#omitted = this.recording.omitted;
    this.#program = typeof json.position === "number" ? json.position : this.recording.length;
    this.#placeProgram(program);
    const { name, state, action, began, encoding, omitted } = this.recording;
    byId("title").textContent = visible(name || "Arbor recording", 120);
    document.title = `${visible(name || "Recording", 120)} – Arbor`;
    const facts = [state === name ? "" : visible(state, 80), visible(action, 80), visible(began, 40)].filter((text) => text);
    if (encoding === "description") facts.push("values as their descriptions");
    if (omitted > 0) facts.push(`${counted(omitted, "older action")} not kept`);
    byId("summary").textContent = facts.join(" · ");
    for (const store of this.recording.stores.values()) {
      if (store.parent === null) this.tree.expanded.set(String(store.id), new Map());
    }
    this.position = Math.min(position ?? this.programPosition, this.recording.length);
    this.list.update();
    this.show(this.position, { isByHand: false });
    this.timeline.draw();
    this.views.refill();
  }

  /** Appends new entries of the program. */
  append(event) {
    this.recording.append(event);
    this.#placeProgram(event);
    const { forgotten } = this;
    if (forgotten > 1000 && forgotten > this.recording.length / 2) {
      this.recording = this.recording.forgetting(forgotten);
      this.position = Math.max(0, this.position - forgotten);
      // The rows identify entries by their places, which have changed.
      this.#refresh();
    } else this.#refreshSoon();
  }

  /** Records the program's position. */
  moveProgram(event) {
    this.#placeProgram(event);
    this.#refreshSoon();
  }

  #placeProgram({ position, omitted }) {
    if (typeof omitted === "number") this.#omitted = omitted;
    if (typeof position === "number") this.#program = position;
  }

  #refreshSoon = patiently(() => this.#refresh());

  #refresh() {
    this.list.update();
    if (this.live?.isFollowing) this.show(this.programPosition, { isByHand: false });
    else this.timeline.show();
    this.timeline.draw();
    this.views.refill();
    this.live?.show();
  }

  // MARK: The moment that is shown

  /** Shows the states after a number of entries, and the last of these entries. */
  show(position, { isByHand = true } = {}) {
    const bounded = Math.max(0, Math.min(position, this.recording.length));
    if (isByHand && bounded !== this.position) this.live?.stay();
    this.position = bounded;
    const { before, after } = this.recording.states.around(bounded);
    this.shownState = after;
    this.list.select();
    this.timeline.show();
    byId("state-heading").textContent = this.#stateTitle;
    this.tree.show(after, before);
    this.entryPanel.show(this.place, before);
    this.views.refresh();
    this.live?.show();
  }

  get #stateTitle() {
    if (this.isLoading) return "State";
    return this.position === 0 ? "State before the first action" : `State after entry ${idText(this.entry.number, 20)}`;
  }

  /** Selects the entry at a place. The program's position doesn't change. */
  select(place) {
    this.show(place + 1);
  }

  /** Selects an entry, and shows the view of the actions. */
  showEntry(place) {
    this.views.choose("actions");
    this.select(place);
  }

  /** Shows the state at a path. */
  reveal(path) {
    this.views.choose("actions");
    this.tree.reveal(path);
    byId("state").focus();
  }

  showTask(id) {
    this.views.choose("tasks");
    this.taskView.select(id);
  }

  showStore(id) {
    this.views.choose("actions");
    this.list.searchStore(id);
    byId("list").focus();
  }

  /** Shows the state of a store. If the store doesn't exist at this moment, shows its last or first state. */
  showStoreState(id) {
    const path = [String(id)];
    const { entries, states } = this.recording;
    if (valueAt(states.at(this.position), path) === missing) {
      const names = (ids) => Array.isArray(ids) && ids.includes(id);
      const gone = entries.findIndex((entry) => names(entry.gone));
      this.show(gone >= 0 ? gone : entries.findIndex((entry) => names(entry.made)) + 1);
    }
    this.reveal(path);
  }

  /** The name of a task. */
  taskText(id, noun = "Task") {
    const key = this.recording.tasks.get(id)?.key;
    return `${noun} ${idText(id, 20)}${typeof key === "string" ? ` ${visible(key, 80)}` : ""}`;
  }

  #showValue(path, value) {
    if (this.isLoading) {
      byId("value").replaceChildren(loadingNote());
      return;
    }
    const search = path.length === 0 ? undefined : linkButton("Which actions changed this?", () => this.list.searchPath(pathText(path)));
    showValue(byId("value"), path.slice(1), value, search);
  }
}

/** The views. One of them is shown. */
class Views {
  #page;
  #names = ["actions", "stores", "tasks", "requests", "metrics"];
  #chosen = "actions";

  constructor(page) {
    this.#page = page;
    for (const name of this.#names) byId(`tab-${name}`).addEventListener("click", () => this.choose(name));
    byId("views").addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      const names = this.#names.filter((name) => !byId(`tab-${name}`).hidden);
      this.choose(names[(names.indexOf(this.#chosen) + step + names.length) % names.length]);
      byId(`tab-${this.#chosen}`).focus();
    });
  }

  choose(name) {
    this.#chosen = name;
    for (const other of this.#names) {
      byId(`view-${other}`).hidden = other !== name;
      byId(`tab-${other}`).setAttribute("aria-selected", String(other === name));
      byId(`tab-${other}`).tabIndex = other === name ? 0 : -1;
    }
    if (name === "actions") this.#page.list.refresh(), this.#page.tree.refresh();
    else this.refill();
  }

  /** Shows the selected view for the current recording. */
  refill() {
    this.#showTabs();
    this.#view?.show();
  }

  /** Shows the selected view for the page's position. */
  refresh() {
    this.#showTabs();
    this.#view?.refresh?.();
  }

  /** Shows the tab of the requests if there are any. */
  #showTabs() {
    byId("tab-requests").hidden = this.#chosen !== "requests" && !this.#page.requestView.hasCaches;
  }

  get #view() {
    const { storeView, taskView, requestView, metricsView } = this.#page;
    return { stores: storeView, tasks: taskView, requests: requestView, metrics: metricsView }[this.#chosen];
  }
}
