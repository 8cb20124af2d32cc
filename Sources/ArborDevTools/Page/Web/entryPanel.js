/** The details of the selected entry: its changes, action, cause, effects and times. */
class EntryPanel {
  /** The maximum number of changes and of links that are shown at first. */
  static step = 25;

  #page;
  #body = byId("entry");

  constructor(page) {
    this.#page = page;
  }

  /** Shows the entry at a place, and the state before it. If the place is negative, shows the state before all entries. */
  show(place, before) {
    const { recording } = this.#page;
    const heading = byId("entry-heading");
    if (this.#page.isLoading) {
      heading.textContent = "Entry";
      this.#body.replaceChildren(loadingNote());
      return;
    }
    if (place < 0) {
      heading.textContent = "Before the first action";
      const omitted = recording.omitted > 0 ? `It includes ${counted(recording.omitted, "older action")}.` : "";
      this.#body.replaceChildren(element("p", { class: "quiet" }, `The state at the beginning of the recording. ${omitted}`));
      return;
    }
    const entry = recording.entries[place];
    heading.textContent = `Entry ${idText(entry.number, 20)}`;
    this.#body.replaceChildren(
      element("p", { class: "whole" }, visible(recording.text(place))),
      this.#facts(entry),
      ...this.#section("Changes", this.#changes(entry, before)),
      ...this.#section("Cause", this.#cause(place, entry)),
      ...this.#section("Caused", this.#caused(place)),
      ...this.#section("Times", timeBars(entry.times)),
      ...this.#section("Action", this.#action(entry))
    );
    this.#body.scrollTop = 0;
    this.#tree?.show(Array.isArray(entry.action) ? { action: entry.action } : { [this.#actionKey]: entry.action });
  }

  #tree;
  #actionKey = "action";

  #section(title, content) {
    return content === undefined ? [] : [element("h3", {}, title), content];
  }

  #facts(entry) {
    const { recording } = this.#page;
    const facts = [["Store", recording.storeText(entry.store)], ["Outcome", typeof entry.outcome === "string" ? visible(entry.outcome, 40) : "not known"]];
    if (typeof entry.replacement === "string") facts.push(["Replaced by", visible(entry.replacement)]);
    if (entry.skipped) facts.push(["Left out", "The states after it don’t include it."]);
    if (entry.barrier) facts.push(["Barrier", "This change can’t be repeated. The states after it are shown as recorded."]);
    if (entry.batch) facts.push(["Batch", "Observers were called only after the following entries."]);
    for (const [title, ids] of [["Stores made", entry.made], ["Stores gone", entry.gone]]) {
      if (Array.isArray(ids) && ids.length > 0) {
        facts.push([title, ids.slice(0, 20).map((id) => recording.storeText(id)).join(", ")]);
      }
    }
    const list = element("dl", { class: "facts" });
    for (const [title, text] of facts) list.append(element("dt", {}, title), element("dd", {}, text));
    return list;
  }

  #changes(entry, before) {
    const changes = Array.isArray(entry.changes) ? entry.changes.filter((change) => isChange(change)) : [];
    if (changes.length === 0) return element("p", { class: "quiet" }, "The states don’t differ.");
    return this.#growing(changes, "change", (change) => {
      const [path] = change;
      const old = valueAt(before, path);
      const values = element("div", { class: "group" });
      if (old !== missing) values.append(element("del", {}, spoken("before: "), preview(old)));
      if (old !== missing && change.length > 1) values.append(element("span", { class: "quiet", "aria-hidden": "true" }, "→"));
      if (change.length > 1) values.append(element("ins", {}, spoken("after: "), preview(change[1])));
      else values.append(element("span", { class: "quiet" }, "removed"));
      const link = linkButton(pathText(path), () => this.#page.reveal(path));
      return element("li", { class: "change" }, link, values);
    });
  }

  #cause(place, entry) {
    const { recording } = this.#page;
    const kind = typeof entry.cause?.kind === "string" ? visible(entry.cause.kind, 40) : "not known";
    const task = entry.cause?.task;
    const first = element("p", {});
    if (kind !== "task" || task === undefined) {
      first.append(`${kind === "outside" ? "From outside" : `By ${kind === "action" ? "an action" : kind}`}. `);
    }
    if (task !== undefined) {
      if (kind === "task") first.append("By ");
      const text = this.#page.taskText(task, kind === "task" ? "task" : "Task");
      first.append(linkButton(text, () => this.#page.showTask(task)));
    }
    const chain = [];
    let at = recording.parents[place];
    for (; at >= 0 && chain.length < EntryPanel.step; at = recording.parents[at]) chain.push(at);
    const list = element("ol", { class: "links" }, ...chain.map((place) => this.#link(place)));
    if (at >= 0) list.append(element("li", { class: "quiet" }, "and so on"));
    const isGone = chain.length === 0 && entry.cause?.action !== undefined;
    const gone = isGone ? element("p", { class: "quiet" }, `Entry ${idText(entry.cause.action, 20)} is not recorded before it.`) : undefined;
    return element("div", {}, first, chain.length > 0 ? list : undefined, gone);
  }

  #caused(place) {
    const caused = this.#page.recording.caused.get(place);
    return caused ? this.#growing(caused, "entry", (place) => this.#link(place), "entries") : undefined;
  }

  #link(place) {
    const { recording } = this.#page;
    const text = `${idText(recording.entries[place].number, 20)} ${visible(recording.text(place), 120)}`;
    return element("li", {}, linkButton(text, () => this.#page.select(place)));
  }

  #action(entry) {
    if (!Object.hasOwn(entry, "action")) return element("p", { class: "quiet" }, "Its value was not written.");
    this.#actionKey = "action";
    const rows = element("div", { class: "rows small", id: "action-value", "aria-label": "The action's value" });
    const value = element("div", { class: "value small", role: "region", "aria-label": "The selected value of the action", tabindex: "0" });
    this.#tree = new ValueTree(rows, { label: () => "action", shown: (path, chosen) => showValue(value, path.slice(1), chosen) });
    this.#tree.expanded.set("action", new Map());
    return element("div", {}, rows, value);
  }

  /** A list that shows its first items, and more on request. */
  #growing(items, one, make, many) {
    const list = element("ul", { class: "links" });
    let shown = 0;
    const grow = () => {
      list.append(...items.slice(shown, shown + EntryPanel.step).map(make));
      shown = Math.min(items.length, shown + EntryPanel.step);
      more.hidden = shown === items.length;
      more.textContent = `${counted(items.length - shown, `more ${one}`, `more ${many ?? `${one}s`}`)}`;
    };
    const more = element("button", { type: "button", click: () => grow() });
    grow();
    return element("div", {}, list, more);
  }
}

/** Shows the whole value, unless it is too long, below the tree in which it was selected. */
function showValue(place, keys, value, ...actions) {
  const kind = kindOf(value);
  const holds = kind === "array" || kind === "object";
  const size = kind === "string" ? `string of ${counted(value.length, "unit")}` : holds ? `${kind} of ${counted(childCount(value), "value")}` : kind;
  const line = element("p", { class: "path" }, element("code", {}, keysText(keys) || "the whole"), ` · ${size} `);
  line.append(...actions.filter((action) => action !== undefined));
  place.replaceChildren(line);
  if (kind === "string") showString(place, value, 4000);
  else if (!holds) place.append(element("pre", {}, leafText(value, 4000)));
}

/** Shows the beginning of a string, and more on request. */
function showString(place, value, limit) {
  const text = element("pre", {}, visibleLines(value, limit));
  place.append(text);
  if (value.length <= limit) return;
  const more = element("button", { type: "button", click: () => {
    text.remove();
    more.remove();
    showString(place, value, limit * 8);
  } }, `Show ${countText(Math.min(value.length, limit * 8) - limit)} more`);
  place.append(more);
}
