/** The tasks and their durations. */
class TaskView {
  #page;
  #tracks;
  #ids = [];

  constructor(page) {
    this.#page = page;
    this.#tracks = new Tracks(page, "tasks", "listbox");
  }

  show() {
    const tasks = [...this.#page.recording.tasks.values()];
    this.#ids = tasks.map((task) => task.id);
    this.#tracks.show(tasks.map((task, index) => this.#item(task, index, tasks.length)), "No task is recorded");
  }

  refresh() {
    this.#tracks.refresh();
  }

  /** Selects a task. */
  select(id) {
    const index = this.#ids.indexOf(id);
    if (index >= 0) this.#tracks.activate(index);
  }

  #item(task, index, size) {
    const known = ["finished", "cancelled", "failed"].includes(task.outcome);
    return {
      level: 1, position: index + 1, size, name: this.#page.taskText(task.id), began: task.began, ended: task.ended,
      state: known ? task.outcome : task.ended === undefined ? "running" : "ended",
      chosen: () => this.#detail(task),
    };
  }

  #detail(task) {
    const { recording } = this.#page;
    const caused = recording.entries.flatMap((entry, place) => (entry.cause?.task === task.id ? [place] : []));
    const cause = recording.placeOf(task.cause?.action);
    const link = (place) => linkButton(visible(recording.text(place), 120), () => this.#page.showEntry(place));
    const more = caused.length > 25 ? element("p", { class: "quiet" }, `and ${countText(caused.length - 25)} more`) : undefined;
    return [
      element("h3", {}, this.#page.taskText(task.id)),
      factList([
        ["Store", recording.storeText(task.store)],
        ["Began", durationText(task.began)],
        ["Ended", task.ended === undefined ? "It is still running." : durationText(task.ended)],
        ["Outcome", typeof task.outcome === "string" ? visible(task.outcome, 40) : undefined],
        ["Error", typeof task.error === "string" ? visible(task.error, 2000) : undefined],
        ["Started by", cause === undefined ? undefined : link(cause)],
        ["Actions", caused.length === 0 ? undefined : element("ul", { class: "links" }, ...caused.slice(0, 25).map((place) => element("li", {}, link(place))))],
      ]),
      more,
    ].filter((part) => part !== undefined);
  }
}
