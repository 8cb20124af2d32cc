/** The tree of stores, each with its lifetime. */
class StoreView {
  #page;
  #tracks;

  constructor(page) {
    this.#page = page;
    this.#tracks = new Tracks(page, "stores", "tree");
  }

  show() {
    const items = [];
    const children = new Map();
    for (const store of this.#page.recording.stores.values()) {
      const parent = this.#parent(store);
      if (!children.has(parent)) children.set(parent, []);
      children.get(parent).push(store);
    }
    const counts = new Map();
    for (const { store } of this.#page.recording.entries) counts.set(store, (counts.get(store) ?? 0) + 1);
    const open = [{ stores: children.get(null) ?? [], next: 0 }];
    while (open.length > 0) {
      const siblings = open[open.length - 1];
      if (siblings.next === siblings.stores.length) {
        open.pop();
        continue;
      }
      const store = siblings.stores[siblings.next];
      siblings.next += 1;
      items.push(this.#item(store, open.length, siblings, counts.get(store.id) ?? 0));
      if (children.has(store.id)) open.push({ stores: children.get(store.id), next: 0 });
    }
    this.#tracks.show(items, "No store is recorded");
  }

  /** The store above another one in the tree; `null` for a root, and for a store that would be below itself. */
  #parent(store) {
    const { stores } = this.#page.recording;
    let above = stores.get(store.parent);
    for (let steps = 0; above !== undefined && above !== store && steps < stores.size; steps += 1) above = stores.get(above.parent);
    return above === undefined && stores.has(store.parent) ? store.parent : null;
  }

  refresh() {
    this.#tracks.refresh();
  }

  #item(store, level, siblings, count) {
    const name = this.#page.recording.storeText(store.id);
    return {
      level, position: siblings.next, size: siblings.stores.length, name, began: store.made ?? 0, ended: store.gone,
      state: store.gone === undefined ? "living" : "gone",
      chosen: () => [
        element("h3", {}, name),
        factList([
          ["Made", durationText(store.made ?? 0)],
          ["Gone", store.gone === undefined ? "It still exists." : durationText(store.gone)],
          ["Actions", countText(count)],
        ]),
        element("p", { class: "group" },
          element("button", { type: "button", click: () => this.#page.showStore(store.id) }, "Show its actions"),
          element("button", { type: "button", click: () => this.#page.showStoreState(store.id) }, "Show its state")),
      ],
    };
  }
}
