/** The percentiles that a chart shows. */
const shares = [0.5, 0.95, 0.99];

/** The number of times an action was dispatched. */
const countOf = (action) => (typeof action.count === "number" && action.count > 0 ? action.count : 0);

/** The metrics of a recording: its own, or metrics computed from the times of its entries. */
function metricsOf(recording) {
  const actions = recording.metrics?.actions;
  if (Array.isArray(actions)) return { actions: actions.filter(isContainer), isMeasured: true };
  const measured = new Map();
  for (const entry of recording.entries) {
    const name = typeof entry.name === "string" ? entry.name : "an action";
    if (!measured.has(name)) measured.set(name, { count: 0, waited: [], reduced: [], delivered: [] });
    const of = measured.get(name);
    of.count += 1;
    if (!Array.isArray(entry.times)) continue;
    for (const [stage, index] of [["waited", 1], ["reduced", 3], ["delivered", 5]]) {
      if (typeof entry.times[index] === "number") of[stage].push(entry.times[index]);
    }
  }
  const percentiles = (times) => {
    times.sort((left, right) => left - right);
    return times.length === 0 ? undefined : shares.map((share) => times[Math.min(times.length - 1, Math.floor(share * times.length))]);
  };
  const made = [...measured].map(([name, { count, waited, reduced, delivered }]) => {
    return { name, count, waited: percentiles(waited), reduced: percentiles(reduced), delivered: percentiles(delivered) };
  });
  return { actions: made.sort((left, right) => right.count - left.count), isMeasured: false };
}

/** The charts of the actions' counts and durations. */
class MetricsView {
  static step = 50;

  #page;
  #shown = MetricsView.step;

  constructor(page) {
    this.#page = page;
  }

  show() {
    const { actions, isMeasured } = metricsOf(this.#page.recording);
    byId("metrics-source").textContent = isMeasured ? "As measured by the program" : "From the times of the recorded entries";
    const body = byId("metrics");
    if (this.#page.isLoading) {
      body.replaceChildren(loadingNote());
      return;
    }
    if (actions.length === 0) {
      body.replaceChildren(element("p", { class: "quiet" }, isMeasured ? "The program has measured no actions." : "There are no actions."));
      return;
    }
    const shown = actions.slice(0, this.#shown);
    const more = element("button", { type: "button", click: () => this.#more() }, `${countText(actions.length - shown.length)} more`);
    more.hidden = shown.length === actions.length;
    body.replaceChildren(this.#outcomes(), this.#table(shown), more);
  }

  #more() {
    this.#shown += MetricsView.step;
    this.show();
  }

  #outcomes() {
    const { entries } = this.#page.recording;
    const list = element("dl", { class: "totals" });
    for (const outcome of outcomes) {
      const count = entries.reduce((sum, entry) => sum + (entry.outcome === outcome ? 1 : 0), 0);
      if (count > 0) list.append(element("div", {}, element("dt", {}, outcome), element("dd", {}, countText(count))));
    }
    return list;
  }

  #table(actions) {
    const most = actions.reduce((most, action) => Math.max(most, countOf(action)), 1);
    const longest = actions.reduce((longest, action) => {
      return ["waited", "reduced", "delivered"].reduce((longest, stage) => Math.max(longest, typeof action[stage]?.[2] === "number" ? action[stage][2] : 0), longest);
    }, 1);
    const heads = ["Action", "Count", "Waited", "Reduced", "Delivered"].map((title) => element("th", { scope: "col" }, title));
    return element(
      "table", { class: "metrics" },
      element("caption", {}, `The median, the 95th and the 99th percentile of the times, on a logarithmic scale up to ${durationText(longest)}`),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...actions.map((action) => this.#row(action, most, longest)))
    );
  }

  #row(action, most, longest) {
    const bar = element("span", { class: "bar count" });
    bar.style.width = `${(countOf(action) / most) * 100}%`;
    return element(
      "tr", {},
      element("th", { scope: "row" }, typeof action.name === "string" ? visible(action.name, 120) : "an action"),
      element("td", { "data-title": "Count" }, element("span", { class: "lane", "aria-hidden": "true" }, bar), countText(countOf(action))),
      ...["waited", "reduced", "delivered"].map((stage) => this.#times(stage, action[stage], longest))
    );
  }

  #times(stage, times, longest) {
    const title = stage[0].toUpperCase() + stage.slice(1);
    if (!Array.isArray(times) || times.length === 0) return element("td", { "data-title": title, class: "quiet" }, "not measured");
    const lane = element("span", { class: "lane", "aria-hidden": "true" });
    for (const index of [2, 1, 0]) {
      if (typeof times[index] !== "number") continue;
      const bar = element("span", { class: `bar ${stage} share${index}` });
      bar.style.width = `${this.#share(times[index], longest)}%`;
      lane.append(bar);
    }
    return element("td", { "data-title": title }, lane, times.slice(0, 3).map(durationText).join(" · "));
  }

  /** The position of a time on a logarithmic scale from a tenth of a microsecond to the longest time, in percent. */
  #share(time, longest) {
    const least = Math.log10(0.1);
    return Math.max(1, Math.min(100, ((Math.log10(Math.max(time, 0.1)) - least) / (Math.log10(Math.max(longest, 1)) - least)) * 100));
  }
}
