/** The list of actions: rows of entries. The entries that an entry caused are below it. */
class ActionList {
  #page;
  #rows;
  #collapsed = new Set();
  #listing;

  constructor(page) {
    this.#page = page;
    this.#rows = new Rows(byId("list"), this);
    for (const id of ["search", "path", "store", "outcome", "grouped"]) {
      byId(id).addEventListener("input", oncePerFrame(() => this.show()));
    }
    byId("fold").addEventListener("click", () => this.#foldAll());
    byId("clear").addEventListener("click", () => this.clear());
    for (const id of ["search", "path"]) {
      byId(id).addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== "ArrowDown") return;
        event.preventDefault();
        this.#takeFirst();
      });
    }
    const choices = [["", "All"], ["changed", "with changes"], ...outcomes.map((outcome) => [outcome, outcome])];
    choices.push(["skipped", "left out"], ["barrier", "cannot be repeated"]);
    byId("outcome").replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
  }

  /** Shows the entries that match the filter, and scrolls to the selected one. */
  show() {
    this.update();
    this.select();
  }

  /** Shows the entries that match the filter, without scrolling. */
  update() {
    this.#offerStores();
    const { recording } = this.#page;
    const filter = new Filter({
      text: byId("search").value, path: byId("path").value, store: byId("store").value, outcome: byId("outcome").value,
    });
    this.#listing = new Listing(recording, { filter, isGrouped: byId("grouped").checked, collapsed: this.#collapsed });
    const whole = this.#page.isLoading ? "Loading…" : counted(recording.length, "action");
    byId("count").textContent = filter.isEmpty || this.#page.isLoading ? whole : `${countText(this.#listing.matches)} of ${whole}`;
    // A screen reader announces the number of found actions, but not every new action.
    byId("count").setAttribute("aria-live", filter.isEmpty ? "off" : "polite");
    byId("fold").textContent = this.#collapsed.size > 0 ? "Expand all" : "Collapse all";
    byId("fold").disabled = !byId("grouped").checked;
    byId("clear").disabled = filter.isEmpty;
    this.#rows.refresh(this.#page.place < 0 ? -1 : this.#listing.rowAround(this.#page.place));
  }

  /** Activates the row of the entry that the page shows. */
  select() {
    const row = this.#page.place < 0 ? -1 : this.#listing.rowAround(this.#page.place);
    this.#rows.activate(row);
  }

  /** Shows all entries. */
  clear() {
    for (const id of ["search", "path", "store", "outcome"]) byId(id).value = "";
    this.show();
  }

  refresh() {
    this.#rows.draw();
  }

  /** Shows the entries that changed a path. */
  searchPath(text) {
    byId("path").value = text;
    this.show();
    byId("list").focus();
  }

  /** Shows only the entries of a store. */
  searchStore(id) {
    byId("store").value = String(id);
    this.show();
  }

  #takeFirst() {
    byId("list").focus();
    const first = this.#listing.places.findIndex((place) => this.#listing.taken[place]);
    if (first >= 0 && !this.#listing.taken[this.#page.place]) this.#page.select(this.#listing.places[first]);
  }

  #offerStores() {
    const { stores } = this.#page.recording;
    const select = byId("store");
    if (select.options.length === stores.size + 1 && select.shownFor === this.#page.recording) return;
    const { value } = select;
    const options = [...stores.keys()].map((id) => element("option", { value: String(id) }, this.#page.recording.storeText(id)));
    select.replaceChildren(element("option", { value: "" }, "All"), ...options);
    select.value = value;
    if (select.selectedIndex < 0) select.value = "";
    select.shownFor = this.#page.recording;
  }

  #foldAll() {
    const { recording } = this.#page;
    if (this.#collapsed.size > 0) this.#collapsed.clear();
    else {
      for (const place of recording.caused.keys()) {
        if (recording.parents[place] < 0) this.#collapsed.add(recording.entries[place].number);
      }
    }
    this.show();
  }

  // MARK: The source of the rows

  get count() {
    return this.#listing?.places.length ?? 0;
  }

  level(index) {
    return this.#listing.levels[index];
  }

  row(index) {
    const listing = this.#listing;
    const { recording } = this.#page;
    const place = listing.places[index];
    const entry = recording.entries[place];
    const isExpanded = listing.hasCaused(place) ? !this.#collapsed.has(entry.number) : undefined;
    const marks = [];
    if (!listing.taken[place]) marks.push("context");
    if (entry.skipped) marks.push("skipped");
    if (place === this.#page.programPlace) marks.push("program");
    return {
      content: this.#content(place, entry, isExpanded), level: listing.levels[index], position: listing.positions[index],
      size: listing.sizes[index], isExpanded, marks: marks.join(" "),
    };
  }

  #content(place, entry, isExpanded) {
    const { recording } = this.#page;
    const badges = [];
    if (typeof entry.outcome === "string" && entry.outcome !== "reduced") badges.push([this.#kind(entry.outcome), visible(entry.outcome, 20)]);
    if (entry.skipped) badges.push(["skipped", "left out"]);
    if (entry.barrier) badges.push(["barrier", "barrier"]);
    if (place === this.#page.programPlace) badges.push(["program", "program"]);
    const time = recording.time(place);
    return [
      element("span", { class: "twist", "aria-hidden": "true" }, isExpanded === undefined ? "" : isExpanded ? "▾" : "▸"),
      element("span", { class: "index" }, `${idText(entry.number, 12)} `),
      element("span", { class: "text" }, visible(recording.text(place))),
      ...badges.map(([kind, text]) => element("span", { class: `badge ${kind}` }, text)),
      recording.stores.size > 1 ? element("span", { class: "origin" }, ` #${idText(entry.store, 12)}`) : undefined,
      element("span", { class: "when" }, time === undefined ? "" : ` ${durationText(time)}`),
    ];
  }

  /** The class of an outcome's badge. Unknown outcomes get the class `unknown`. */
  #kind(outcome) {
    return outcomes.includes(outcome) ? outcome : "unknown";
  }

  choose(index) {
    this.#page.select(this.#listing.places[index]);
  }

  toggle(index, isExpanded) {
    const { number } = this.#page.recording.entries[this.#listing.places[index]];
    if (isExpanded) this.#collapsed.delete(number);
    else this.#collapsed.add(number);
    const place = this.#listing.places[index];
    this.show();
    this.#rows.activate(this.#listing.rowOf(place));
  }
}
