// swift-format-ignore-file
// Generated from the files in Web by PageTemplateTests: change those, and run
// ARBOR_WRITE_PAGE=1 swift test --filter PageTemplateTests

/// The page of a recording, but for the recording.
package enum PageTemplate {
  /// The page up to where a live page names its program.
  package static let beforeLive: StaticString = ###"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-XX3tNXQGawpGTT34HiUWDe6p2zeK+sLXCm/mA5lJX9s='; style-src 'sha256-3oNZV4fXa+ZhdVWKdgZK5cybSfIbzAJ1uMWMWi1i4tI='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">

"""###

  /// The page from there up to the recording.
  package static let beforeRecording: StaticString = ###"""

<title>Arbor recording</title>
<style>
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #14161a);
  --panel: light-dark(#ffffff, #1a1d22);
  --raised: light-dark(#eef0f4, #242830);
  --line: light-dark(#dde1e8, #2e333c);
  --border: light-dark(#868e9b, #707a8a);
  --ink: light-dark(#1b1f26, #e3e6eb);
  --quiet: light-dark(#58606d, #9ba4b2);
  --accent: light-dark(#0b5cad, #7db7f5);
  --active: light-dark(#dbe9f9, #1f3450);
  --on-accent: light-dark(#ffffff, #10151c);
  --green: light-dark(#166534, #7fd29a);
  --green-ground: light-dark(#e3f4e8, #17301f);
  --red: light-dark(#a3221c, #ff9d94);
  --red-ground: light-dark(#fbe7e5, #3a1d1b);
  --amber: light-dark(#7f4a05, #eabd6d);
  --amber-ground: light-dark(#fbf0d9, #34280f);
  --violet: light-dark(#6033a8, #c5a8f7);
  --violet-ground: light-dark(#efe8fb, #2b2140);
  --bar-waited: light-dark(#98a2b3, #667085);
  --bar-intercepted: light-dark(#b7791f, #c99a3f);
  --bar-reduced: light-dark(#2f78c4, #5b9fe6);
  --bar-performed: light-dark(#7c51c8, #a684e8);
  --bar-delivered: light-dark(#2e9153, #55b37a);
}

:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
*, *::before, *::after { box-sizing: border-box; }

[hidden] { display: none !important; }

html { font-size: 81.25%; height: 100%; }

body {
  display: flex;
  flex-direction: column;
  height: 100%;
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}

h1, h2, h3, p, dl, dd, ul, ol, pre { margin: 0; padding: 0; }
h1 { max-width: 26rem; font-size: 1.15rem; font-weight: 650; }
h2 { font-size: 1rem; font-weight: 650; }
h3 { margin-top: 1rem; font-size: 0.92rem; font-weight: 650; color: var(--quiet); }

code, pre, .index, .key, .leaf, .when, .number, .whole, .change, .origin {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.92rem;
}

.quiet { color: var(--quiet); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top, .live, .time, .notice { flex: none; padding: 0.5rem 0.9rem; border-bottom: 1px solid var(--line); background: var(--panel); }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 1rem; }
.top #summary { flex: 1 1 12rem; }
.live { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1.2rem; }
.live form { flex: 1 1 100%; display: grid; gap: 0.4rem; }
.time { display: flex; align-items: center; gap: 0.9rem; }
.notice { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1rem; background: var(--amber-ground); color: var(--amber); }
.group { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem; }

.slide { flex: 1; min-width: 0; display: grid; }
.slide canvas { width: 100%; height: 1.7rem; color: var(--bar-reduced); outline-color: var(--red); }
.number { min-width: 7.5rem; text-align: end; font-variant-numeric: tabular-nums; }

main { flex: 1; min-height: 0; display: grid; }
.view { min-height: 0; display: grid; grid-template-rows: minmax(0, 1fr); }
.view.actions { grid-template-columns: minmax(20rem, 5fr) minmax(18rem, 5fr) minmax(17rem, 4fr); }
.panel { display: flex; flex-direction: column; min-width: 0; min-height: 0; background: var(--panel); border-inline-end: 1px solid var(--line); }
.head { flex: none; display: flex; flex-wrap: wrap; gap: 0 0.8rem; align-items: baseline; padding: 0.45rem 0.9rem; border-bottom: 1px solid var(--line); }
.filters { flex: none; display: grid; grid-template-columns: auto minmax(0, 1fr) auto minmax(0, 1fr); gap: 0.35rem 0.6rem; align-items: center;
  padding: 0.5rem 0.9rem; border-bottom: 1px solid var(--line); }
.filters .wide { grid-column: 1 / -1; }

@media (max-width: 64rem) {
  html, body { height: auto; min-height: 100%; }
  main, .view { display: block; }
  .view.actions { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-template-rows: auto; }
  .view.actions .panel:first-child { grid-column: 1 / -1; }
  .panel { border-inline-end: none; border-bottom: 1px solid var(--line); }
  .panel > .rows { height: 26rem; flex: none; }
  .entry { overflow: visible; }
}

@media (max-width: 46rem) {
  .view.actions { display: block; }
  .filters { grid-template-columns: auto minmax(0, 1fr); }
  .time { flex-wrap: wrap; gap: 0.3rem 0.9rem; }
  .slide { flex: 1 1 100%; order: 3; }
  .number { flex: 1; }
}
button, input, select, textarea { font: inherit; color: inherit; }

button, select, input[type="search"], textarea {
  min-height: 1.9rem;
  max-width: 100%;
  padding: 0.15rem 0.6rem;
  border: 1px solid var(--border);
  border-radius: 5px;
  background: var(--panel);
}

input[type="search"], select, textarea { width: 100%; min-width: 0; }
input::placeholder { color: var(--quiet); opacity: 1; }
textarea { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; resize: vertical; }
input[type="range"] { width: 100%; margin: 0; accent-color: var(--accent); }
input[type="checkbox"] { accent-color: var(--accent); margin: 0; }

button { cursor: pointer; border-color: var(--line); background: var(--raised); }
button:hover:not(:disabled) { border-color: var(--border); }
button:disabled { color: var(--quiet); background: transparent; cursor: default; }
button[aria-pressed="true"], .primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }

:is(button, input, select, textarea, [tabindex]):focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }

.link {
  min-height: 0;
  padding: 0;
  border: none;
  background: none;
  color: var(--accent);
  font-family: inherit;
  text-align: start;
  text-decoration: underline;
  text-decoration-thickness: 1px;
  text-underline-offset: 2px;
}

.check { display: inline-flex; align-items: center; gap: 0.4rem; padding-inline-end: 0.5rem; }

.tabs { display: flex; flex-wrap: wrap; gap: 0.15rem; padding: 0.15rem; border-radius: 7px; background: var(--raised); }
.tabs button { min-height: 1.7rem; border-color: transparent; background: transparent; color: var(--quiet); }
.tabs button[aria-selected="true"] { background: var(--panel); color: var(--ink); border-color: var(--line); font-weight: 600; }

dialog { max-width: min(34rem, calc(100vw - 2rem)); padding: 1.2rem 1.4rem; border: 1px solid var(--line); border-radius: 10px;
  background: var(--panel); color: var(--ink); }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog form { margin-top: 1rem; }
.keys { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.4rem 1rem; margin: 0.8rem 0; }
kbd { padding: 0.05rem 0.45rem; border: 1px solid var(--border); border-radius: 4px; background: var(--raised); font: inherit; }

.badge { flex: none; padding: 0 0.45rem; border-radius: 999px; font-size: 0.85rem; line-height: 1.45; background: var(--raised); color: var(--quiet); }
.badge.failed, .badge.dropped { background: var(--red-ground); color: var(--red); }
.badge.replaced, .badge.held, .badge.revoked { background: var(--amber-ground); color: var(--amber); }
.badge.program { background: var(--green-ground); color: var(--green); }
.badge.barrier { background: var(--violet-ground); color: var(--violet); }
.rows { --row-height: 1.75; flex: 1; min-height: 9rem; overflow: auto; overscroll-behavior: contain; }
.rows.small { min-height: 0; max-height: 12rem; flex: none; border: 1px solid var(--line); border-radius: 5px; }
.space { position: relative; min-height: 1px; overflow: hidden; }

.row {
  --level: 0;
  position: absolute;
  inset-inline: 0;
  display: flex;
  align-items: center;
  gap: 0.45rem;
  padding-inline: calc(0.5rem + var(--level) * 0.95rem) 0.7rem;
  white-space: nowrap;
  cursor: default;
}

.row:hover { background: var(--raised); }
.row.active { background: var(--active); }
.rows:focus-visible .row.active { box-shadow: inset 3px 0 var(--accent); }
.row.context > :not(.twist) { font-style: italic; }
.row.skipped .text { text-decoration: line-through; }
.row.more { color: var(--accent); }

.twist { flex: none; width: 1rem; text-align: center; color: var(--quiet); cursor: pointer; }
.index { flex: none; min-width: 3.2rem; text-align: end; color: var(--quiet); font-variant-numeric: tabular-nums; }
.text { flex: 1 1 auto; min-width: 4rem; overflow: hidden; text-overflow: ellipsis; }
.origin, .when { flex: none; color: var(--quiet); font-variant-numeric: tabular-nums; }
.when { min-width: 4.6rem; text-align: end; }

#state .row, .rows.small .row { gap: 0; }
#state .twist, .rows.small .twist { margin-inline-end: 0.3rem; }
.depth { color: var(--quiet); margin-inline-end: 0.4rem; }
.key { flex: none; max-width: 60%; overflow: hidden; text-overflow: ellipsis; color: var(--accent); }
.colon { flex: none; white-space: pre; color: var(--quiet); }
.leaf { flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--quiet); }
.leaf.string { color: var(--green); }
.leaf.number { color: var(--violet); }
.leaf.boolean, .leaf.null { color: var(--amber); }
.leaf.redacted, .leaf.omitted { font-style: italic; }
.mark { flex: none; margin-inline-start: 0.5rem; padding-inline: 0.4rem; border-radius: 999px; font-size: 0.85rem; line-height: 1.4;
  background: var(--amber-ground); color: var(--amber); }

.value { flex: none; max-height: 40%; overflow: auto; padding: 0.5rem 0.9rem 0.7rem; border-top: 1px solid var(--line); }
.value.small { max-height: 9rem; border: none; padding: 0.4rem 0; }
.value pre { white-space: pre-wrap; }
.value .path { color: var(--quiet); }

@media (max-width: 30rem) {
  #list { --row-height: 3.1; }
  #list .row { flex-wrap: wrap; align-content: center; gap: 0 0.45rem; overflow: hidden; }
  #list .text { flex: 1 1 55%; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-height: 1.25; white-space: normal; }
  #list .row:has(.badge) .text { flex-basis: 75%; -webkit-line-clamp: 1; }
  #list .index { min-width: 0; }
  #list .when { min-width: 0; margin-inline-start: auto; }
  #list .row { --level: 0; }
}
.entry { flex: 1; min-height: 0; overflow: auto; padding: 0.6rem 0.9rem 1.2rem; }
.whole { padding: 0.4rem 0.6rem; border-radius: 5px; background: var(--raised); }

.facts, .times { display: grid; grid-template-columns: minmax(5.5rem, auto) minmax(0, 1fr); gap: 0.2rem 0.9rem; margin-top: 0.6rem; }
.facts dt, .times dt { color: var(--quiet); }

.links { display: grid; gap: 0.3rem; list-style: none; margin-top: 0.3rem; }
.change { display: grid; gap: 0.1rem; padding: 0.3rem 0 0.3rem 0.6rem; border-inline-start: 2px solid var(--line); justify-items: start; }
.change del, .change ins { padding: 0 0.35rem; border-radius: 3px; text-decoration: none; }
.change del { background: var(--red-ground); color: var(--red); }
.change ins { background: var(--green-ground); color: var(--green); }

.times dd { display: grid; grid-template-columns: minmax(0, 1fr) 4.5rem; gap: 0.6rem; align-items: center; font-variant-numeric: tabular-nums; }
.times dd > :only-child { grid-column: 1 / -1; }

.lane { position: relative; display: block; min-width: 3rem; height: 0.7rem; border-radius: 3px; background: var(--raised); overflow: hidden; }
.bar { display: block; height: 100%; min-width: 2px; border-radius: 2px; background: var(--bar-waited); }
.bar.waited { background: var(--bar-waited); }
.bar.intercepted { background: var(--bar-intercepted); }
.bar.reduced, .bar.count { background: var(--bar-reduced); }
.bar.performed { background: var(--bar-performed); }
.bar.delivered { background: var(--bar-delivered); }
.tracks .row { padding-inline-start: 0.9rem; }
.tracks .row > .lane { flex: 1 1 50%; align-self: stretch; height: auto; border-radius: 0; background: none; }
.tracks .row > .lane::before { content: ""; position: absolute; inset: 50% 0 auto; border-top: 1px solid var(--line); }
.tracks .bar { position: absolute; inset-block: 0.4rem; height: auto; background: var(--bar-reduced); }
.tracks .bar.gone, .tracks .bar.cancelled { background: var(--bar-waited); }
.tracks .bar.finished { background: var(--bar-delivered); }
.tracks .bar.failed { background: var(--red); }
.tracks .now { position: absolute; inset-block: 0; width: 2px; background: var(--ink); }
.tracks .name { flex: 0 0 18rem; padding-inline-start: calc(var(--level) * 0.95rem); overflow: hidden; text-overflow: ellipsis; }
.tracks .state { flex: none; min-width: 5.5rem; color: var(--quiet); }
.tracks .when { min-width: 8.5rem; }
.tracks .rows.small { margin-top: 0.6rem; }
.tracks .rows.small .row { padding-inline-start: calc(0.5rem + var(--level) * 0.95rem); }
#requests .state { min-width: 8.5rem; }

.totals { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-bottom: 0.9rem; }
.totals div { padding: 0.4rem 0.8rem; border: 1px solid var(--line); border-radius: 6px; }
.totals dt { color: var(--quiet); }
.totals dd { font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }

.metrics { width: 100%; border-collapse: collapse; table-layout: fixed; font-variant-numeric: tabular-nums; }
.metrics caption { padding-bottom: 0.5rem; text-align: start; color: var(--quiet); }
.metrics th, .metrics td { padding: 0.45rem 0.6rem; border-top: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400; }
.metrics thead th { color: var(--quiet); }
.metrics tbody th { font-weight: 600; }
.metrics .lane { height: 0.8rem; margin-bottom: 0.2rem; }
.metrics .lane .bar { position: absolute; inset-block: 0; }
.metrics .share2 { opacity: 0.35; }
.metrics .share1 { opacity: 0.6; }
.metrics .bar.count { position: static; }

@media (max-width: 46rem) {
  .tracks .rows { --row-height: 4.2; }
  .tracks .rows.small { --row-height: 1.75; }
  .tracks .row:not(.small .row) { flex-wrap: wrap; align-content: center; gap: 0 0.5rem; }
  .tracks .name { flex: 1 1 100%; }
  .tracks .row > .lane { flex: 1 1 100%; align-self: auto; height: 1.1rem; }
  .tracks .bar { inset-block: 0.2rem; }
  .tracks .state, .tracks .when, #requests .state { min-width: 0; }
  .metrics, .metrics tbody, .metrics tr, .metrics td, .metrics tbody th, .metrics caption { display: block; }
  .metrics thead { display: none; }
  .metrics td { border: none; padding-block: 0.15rem; }
  .metrics td::before { content: attr(data-title) ": "; color: var(--quiet); }
}
</style>
</head>
<body>
<header class="top">
  <h1 id="title">Arbor recording</h1>
  <p id="summary" class="quiet"></p>
  <div class="tabs" role="tablist" aria-label="Views" id="views">
    <button type="button" role="tab" id="tab-actions" aria-controls="view-actions" aria-selected="true">Actions</button>
    <button type="button" role="tab" id="tab-stores" aria-controls="view-stores" aria-selected="false" tabindex="-1">Stores</button>
    <button type="button" role="tab" id="tab-tasks" aria-controls="view-tasks" aria-selected="false" tabindex="-1">Tasks</button>
    <button type="button" role="tab" id="tab-requests" aria-controls="view-requests" aria-selected="false" tabindex="-1" hidden>Requests</button>
    <button type="button" role="tab" id="tab-metrics" aria-controls="view-metrics" aria-selected="false" tabindex="-1">Metrics</button>
  </div>
  <div class="group">
    <button type="button" id="theme">Theme: system</button>
    <button type="button" id="help-open" aria-haspopup="dialog">Help</button>
  </div>
</header>

<noscript><p class="notice">This page needs JavaScript to show the recording, and this browser did not run it.</p></noscript>
<div id="notice" class="notice" role="alert" hidden>
  <p id="notice-text"></p>
  <button type="button" id="notice-close">Close</button>
</div>

<section id="live" class="live" aria-label="Live" hidden>
  <div class="group">
    <span id="connection" class="badge" role="status">Connecting</span>
    <label class="check"><input type="checkbox" id="follow" checked> Follow</label>
    <button type="button" id="pause" aria-pressed="false"
      title="This page stops following the program, which continues. New entries appear when you resume.">Pause</button>
  </div>
  <div class="group">
    <button type="button" id="travel" title="The program shows the state after the selected entry. New actions wait until you press Resume.">Travel here</button>
    <button type="button" id="step-back" title="The program shows the state of one action earlier.">Step back</button>
    <button type="button" id="step-forward" title="The program shows the state of one action later.">Step forward</button>
    <button type="button" id="resume" title="The program shows the present again, exactly as it was, and reduces the actions that waited.">Resume</button>
    <button type="button" id="continue" title="The moment that the program shows becomes its present. Later actions are dropped, and the actions that waited follow.">Continue from here</button>
  </div>
  <div class="group">
    <button type="button" id="toggle">Leave out</button>
    <button type="button" id="toggle-epoch"
      title="The program shows the past without this action and every action it caused. New actions wait until you press Resume.">Leave out with everything it caused</button>
    <button type="button" id="dispatch-open" aria-expanded="false" aria-controls="dispatch"
      title="Write an action as JSON and dispatch it to the program.">Dispatch…</button>
  </div>
  <p id="program" class="quiet"></p>
  <form id="dispatch" hidden>
    <label for="dispatch-text">Action as JSON</label>
    <textarea id="dispatch-text" rows="4" spellcheck="false" autocomplete="off" aria-describedby="dispatch-form"></textarea>
    <p id="dispatch-form" class="quiet">Write it as Codable encodes an enum: <code>.add("…")</code> is <code>{"add":{"_0":"…"}}</code>.
      Or select an entry, and press “Copy the selected action”.</p>
    <div class="group">
      <button type="submit" class="primary">Dispatch</button>
      <button type="button" id="dispatch-copy">Copy the selected action</button>
      <button type="button" id="dispatch-close">Close</button>
    </div>
  </form>
</section>

<section class="time" aria-label="Time">
  <div class="group">
    <button type="button" id="first" aria-label="Before the first action">&#171;</button>
    <button type="button" id="previous" aria-label="One action back">&#8249;</button>
    <button type="button" id="next" aria-label="One action forward">&#8250;</button>
    <button type="button" id="last" aria-label="After the last action">&#187;</button>
  </div>
  <div class="slide">
    <canvas id="overview" aria-hidden="true"></canvas>
    <input type="range" id="slider" min="0" max="0" value="0" step="1" aria-label="Position in time">
  </div>
  <p id="position" class="number"></p>
</section>

<main>
  <div id="view-actions" class="view actions" role="tabpanel" aria-labelledby="tab-actions">
    <section class="panel" aria-labelledby="actions-heading">
      <div class="head">
        <h2 id="actions-heading">Actions</h2>
        <p id="count" class="quiet" role="status"></p>
      </div>
      <div class="filters" role="search" aria-label="Filter the actions">
        <label for="search">Text</label>
        <input type="search" id="search" placeholder="name or #number" autocomplete="off" spellcheck="false">
        <label for="path">Path</label>
        <input type="search" id="path" placeholder="cart.items[0]" autocomplete="off" spellcheck="false">
        <label for="store">Store</label>
        <select id="store"></select>
        <label for="outcome">Outcome</label>
        <select id="outcome"></select>
        <div class="group wide">
          <label class="check"><input type="checkbox" id="grouped" checked> Group by cause</label>
          <button type="button" id="fold">Collapse all</button>
          <button type="button" id="clear">Clear</button>
        </div>
      </div>
      <div id="list" class="rows" aria-label="Actions"></div>
    </section>
    <section class="panel" aria-labelledby="state-heading">
      <div class="head"><h2 id="state-heading">State</h2></div>
      <div id="state" class="rows" aria-labelledby="state-heading"></div>
      <div id="value" class="value" role="region" aria-label="The selected value" tabindex="0"></div>
    </section>
    <section class="panel" aria-labelledby="entry-heading">
      <div class="head"><h2 id="entry-heading">Entry</h2></div>
      <div id="entry" class="entry" role="region" aria-labelledby="entry-heading" tabindex="0"></div>
    </section>
  </div>
  <div id="view-stores" class="view tracks" role="tabpanel" aria-labelledby="tab-stores" hidden>
    <section class="panel" aria-labelledby="stores-heading">
      <div class="head"><h2 id="stores-heading">Lifetimes of stores</h2><p class="quiet" id="stores-span"></p></div>
      <div id="stores" class="rows" aria-labelledby="stores-heading"></div>
      <div id="stores-detail" class="value" role="region" aria-label="The selected store" tabindex="0"></div>
    </section>
  </div>
  <div id="view-tasks" class="view tracks" role="tabpanel" aria-labelledby="tab-tasks" hidden>
    <section class="panel" aria-labelledby="tasks-heading">
      <div class="head"><h2 id="tasks-heading">Tasks over time</h2><p class="quiet" id="tasks-span"></p></div>
      <div id="tasks" class="rows" aria-labelledby="tasks-heading"></div>
      <div id="tasks-detail" class="value" role="region" aria-label="The selected task" tabindex="0"></div>
    </section>
  </div>
  <div id="view-requests" class="view tracks" role="tabpanel" aria-labelledby="tab-requests" hidden>
    <section class="panel" aria-labelledby="requests-heading">
      <div class="head"><h2 id="requests-heading">Requests</h2><p class="quiet" id="requests-span"></p></div>
      <div id="requests" class="rows" aria-labelledby="requests-heading"></div>
      <div id="requests-detail" class="value" role="region" aria-label="The selected request" tabindex="0">
        <div id="requests-commands" class="group" hidden>
          <button type="button" id="requests-refetch" title="The program fetches the answer again.">Fetch again</button>
          <button type="button" id="requests-stale" title="The program marks the answer as stale, and fetches it again if it is observed.">Mark stale</button>
          <button type="button" id="requests-fail" aria-haspopup="dialog" title="The attempt in progress fails with a reason that you write.">Fail with…</button>
          <button type="button" id="requests-cancel" title="The program cancels the change, and takes back its optimistic part.">Cancel change</button>
        </div>
        <div id="requests-facts"></div>
        <div id="requests-value" class="rows small" aria-label="The value of the request"></div>
      </div>
    </section>
  </div>
  <div id="view-metrics" class="view" role="tabpanel" aria-labelledby="tab-metrics" hidden>
    <section class="panel" aria-labelledby="metrics-heading">
      <div class="head"><h2 id="metrics-heading">Metrics</h2><p class="quiet" id="metrics-source"></p></div>
      <div id="metrics" class="entry" role="region" aria-labelledby="metrics-heading" tabindex="0"></div>
    </section>
  </div>
</main>

<dialog id="drop" aria-labelledby="drop-heading" aria-describedby="drop-text">
  <h2 id="drop-heading">Continue from here?</h2>
  <p id="drop-text"></p>
  <form method="dialog" class="group">
    <button value="cancel" autofocus>Cancel</button>
    <button value="continue" id="drop-continue" class="primary">Drop and continue</button>
  </form>
</dialog>

<dialog id="fail" aria-labelledby="fail-heading">
  <h2 id="fail-heading">Fail the fetch in progress</h2>
  <form method="dialog" class="group">
    <label for="fail-reason">Reason</label>
    <input type="search" id="fail-reason" value="failed in the inspector" autocomplete="off">
    <button class="primary" value="fail" id="fail-send">Fail</button>
    <button value="cancel">Cancel</button>
  </form>
</dialog>

<dialog id="help" aria-labelledby="help-heading">
  <h2 id="help-heading">Keys</h2>
  <dl class="keys">
    <dt><kbd>&#8593;</kbd> <kbd>&#8595;</kbd></dt><dd>Previous entry, next entry</dd>
    <dt><kbd>&#8592;</kbd> <kbd>&#8594;</kbd></dt><dd>Collapse, or go to the parent; expand</dd>
    <dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>First, last</dd>
    <dt><kbd>*</kbd></dt><dd>Expand everything below, in a tree of values</dd>
    <dt><kbd>/</kbd></dt><dd>Search</dd>
    <dt><kbd>Escape</kbd></dt><dd>Close this window, or clear the search</dd>
    <dt><kbd>?</kbd></dt><dd>Show these keys</dd>
  </dl>
  <p>Write a path as it appears in the tree: <code>cart.items[0].count</code>, with <code>*</code> for any key. Put <code>#2</code> before it
    for one store, and <code>=5</code> after it for the actions that made it 5. Selecting an entry changes this page, never the program.</p>
  <form method="dialog"><button class="primary">Close</button></form>
</dialog>

<script type="application/json" id="recording">
"""###

  /// The page from the recording on.
  package static let afterRecording: StaticString = ###"""
</script>
<script>
"use strict";

/** The element of index.html with an id. */
const byId = (id) => document.getElementById(id);

/**
 * Makes an element.
 *
 * - Properties that are functions become listeners, `class` the class, and others attributes. `undefined` and `false` are
 *   left out.
 * - Children are nodes or texts. A text is never interpreted as markup.
 */
function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button that looks like a link. */
const linkButton = (text, press) => element("button", { type: "button", class: "link", click: press }, text);

/** The placeholder for content that the program has not sent yet. */
const loadingNote = () => element("p", { class: "quiet" }, "Loading…");

/** Invisible text for screen readers. */
const spoken = (text) => element("span", { class: "spoken" }, text);

/** Returns a function that calls another one at most once per frame. */
function oncePerFrame(work) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      work();
    });
  };
}

/** Returns a function that calls another one soon, but after a pause three times as long as the previous call took. */
function patiently(work) {
  let isAsked = false;
  let readyAt = 0;
  const run = () => {
    isAsked = false;
    const start = performance.now();
    work();
    const end = performance.now();
    readyAt = end + 3 * (end - start);
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    const wait = readyAt - performance.now();
    if (wait > 0) setTimeout(() => requestAnimationFrame(run), wait);
    else requestAnimationFrame(run);
  };
}

/** A number with separators between thousands. */
const countText = (count) => count.toLocaleString("en");

/** A count with its noun. */
const counted = (count, one, many = one + "s") => `${countText(count)} ${count === 1 ? one : many}`;

/** A time in microseconds, in the most readable unit. */
function durationText(microseconds) {
  if (typeof microseconds !== "number" || !Number.isFinite(microseconds)) return "not measured";
  const size = Math.abs(microseconds);
  const [value, unit] =
    size < 1 ? [microseconds * 1e3, "ns"]
    : size < 1e3 ? [microseconds, "µs"]
    : size < 1e6 ? [microseconds / 1e3, "ms"]
    : [microseconds / 1e6, "s"];
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}
/** The result of `own` if an object doesn't have the key. */
const missing = Symbol("missing");

/** Returns an own value of an object or array, never one of its prototype. */
const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : missing);

const isContainer = (value) => value !== null && typeof value === "object";

/** The kind of a value; "redacted" or "omitted" for a value that the program has left out. */
function kindOf(value) {
  if (value === null) return "null";
  if (value === missing) return "missing";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "object") return typeof value;
  const mark = own(value, "$arbor");
  return mark === "redacted" || mark === "omitted" ? mark : "object";
}

const keyLists = new WeakMap();

/** The keys of an object in order, cached as long as the object exists. */
function keysOf(object) {
  let keys = keyLists.get(object);
  if (!keys) keyLists.set(object, (keys = Object.keys(object)));
  return keys;
}

/** The number of direct children of a value; 0 if it isn't a container. */
function childCount(value) {
  const kind = kindOf(value);
  return kind === "array" ? value.length : kind === "object" ? keysOf(value).length : 0;
}

/** A key as the program wrote it: `$$arbor` means the program's own key `$arbor`. */
const programKey = (key) => (/^\$\$+arbor$/.test(key) ? key.slice(1) : key);

const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const shortEscapes = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character) {
  const code = character.codePointAt(0).toString(16);
  return shortEscapes[character] ?? `\\u${code.length <= 4 ? code.padStart(4, "0") : `{${code}}`}`;
}

/** A text of limited length, with escapes for characters that are invisible or change the direction of text. */
function visible(text, limit = 500) {
  const isLong = text.length > limit;
  return (isLong ? text.slice(0, limit) : text).replace(unseen, escaped) + (isLong ? "…" : "");
}

/** A text as in `visible`, but with line breaks and tabs. */
const visibleLines = (text, limit) => visible(text, limit).replaceAll("\\n", "\n").replaceAll("\\t", "\t");

/** A number, a Boolean, a string or a mark, on one line. */
function leafText(value, limit) {
  switch (kindOf(value)) {
    case "string": return `"${visible(value, limit)}"`;
    case "redacted": return "redacted";
    case "omitted": {
      const text = own(value, "text");
      return typeof text === "string" ? `omitted: ${visible(text, limit)}` : "omitted";
    }
    case "missing": return "nothing";
    default: return String(value);
  }
}

/** The beginning of a value on one line, with at most three levels and a limited length. */
function preview(value, limit = 120, depth = 0) {
  const kind = kindOf(value);
  if (kind !== "array" && kind !== "object") return leafText(value, limit);
  const [open, close] = kind === "array" ? "[]" : "{}";
  const count = childCount(value);
  if (count === 0) return open + close;
  if (depth > 2) return `${open}…${close}`;
  let text = open;
  for (let place = 0; place < count; place += 1) {
    if (place > 0) text += ", ";
    if (text.length >= limit) return `${text}…${close}`;
    const key = kind === "array" ? place : keysOf(value)[place];
    if (kind === "object") text += `${visible(programKey(key), 40)}: `;
    text += preview(value[key], Math.max(8, limit - text.length), depth + 1);
  }
  return text + close;
}

/** The text of an id, which should be a number or a text. */
const idText = (id, limit) => (isContainer(id) ? preview(id, limit) : visible(String(id), limit));

/** The keys of a path after the store's id, in the form `cart.items[0].count`. */
function keysText(keys) {
  let text = "";
  for (const key of keys) {
    if (typeof key === "number") text += `[${key}]`;
    else {
      const shown = visible(programKey(String(key)), 80);
      text += /^[^\s.[\]"=#/]+$/.test(shown) ? (text ? "." : "") + shown : `[${JSON.stringify(shown)}]`;
    }
  }
  return text;
}

/** The path of a change or of a row in the tree, with its store. */
const pathText = (path) => `#${idText(path[0], 20)}${path.length > 1 ? " " : ""}${keysText(path.slice(1))}`;
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
/** The filter of the list of actions. */
class Filter {
  constructor({ text = "", path = "", store = "", outcome = "" } = {}) {
    this.text = text.trim().toLowerCase();
    this.path = new PathSearch(path);
    this.store = store;
    this.outcome = outcome;
  }

  get isEmpty() {
    return !this.text && this.path.isEmpty && !this.store && !this.outcome;
  }

  /** Returns `true` if an entry matches. */
  takes(entry) {
    if (this.store && String(entry.store) !== this.store) return false;
    if (this.outcome && !this.#hasOutcome(entry)) return false;
    if (this.text && !this.#hasText(entry)) return false;
    return this.path.finds(entry);
  }

  #hasOutcome(entry) {
    if (this.outcome === "skipped" || this.outcome === "barrier") return entry[this.outcome] === true;
    if (this.outcome === "changed") return Array.isArray(entry.changes) && entry.changes.length > 0;
    return entry.outcome === this.outcome;
  }

  #hasText(entry) {
    if (`#${entry.number}` === this.text) return true;
    return [entry.text, entry.name, entry.replacement].some(
      (text) => typeof text === "string" && text.toLowerCase().includes(this.text)
    );
  }
}

/**
 * The rows of the list of actions, from top to bottom.
 *
 * - If the list is grouped, an entry is below its cause, and a collapsed entry has nothing below it.
 * - If the list is filtered, the causes of a shown entry are also shown, as its context.
 */
class Listing {
  places = [];
  levels = [];
  positions = [];
  sizes = [];

  constructor(recording, { filter, isGrouped, collapsed }) {
    this.recording = recording;
    this.taken = new Uint8Array(recording.length);
    this.matches = 0;
    for (let place = 0; place < recording.length; place += 1) {
      if (filter.isEmpty || filter.takes(recording.entries[place])) {
        this.taken[place] = 1;
        this.matches += 1;
      }
    }
    if (isGrouped) this.#group(collapsed);
    else this.#line();
  }

  #line() {
    for (let place = 0; place < this.recording.length; place += 1) {
      if (this.taken[place]) this.#push(place, 1, this.places.length + 1, this.matches);
    }
  }

  #group(collapsed) {
    const { parents, caused, entries } = this.recording;
    const shown = this.taken.slice();
    // Causes come first, so one pass from the end finds all causes of the shown entries.
    for (let place = parents.length - 1; place >= 0; place -= 1) {
      if (shown[place] && parents[place] >= 0) shown[parents[place]] = 1;
    }
    this.shown = shown;
    const roots = [];
    for (let place = 0; place < parents.length; place += 1) if (shown[place] && parents[place] < 0) roots.push(place);
    const open = [{ places: roots, next: 0 }];
    while (open.length > 0) {
      const siblings = open[open.length - 1];
      if (siblings.next === siblings.places.length) {
        open.pop();
        continue;
      }
      const place = siblings.places[siblings.next];
      siblings.next += 1;
      this.#push(place, open.length, siblings.next, siblings.places.length);
      const children = caused.get(place)?.filter((child) => shown[child]);
      if (children?.length && !collapsed.has(entries[place].number)) open.push({ places: children, next: 0 });
    }
  }

  #push(place, level, position, size) {
    this.places.push(place);
    this.levels.push(level);
    this.positions.push(position);
    this.sizes.push(size);
  }

  /** Returns `true` if entries that an entry caused are shown, or would be if the entry were expanded. */
  hasCaused(place) {
    return this.shown !== undefined && (this.recording.caused.get(place)?.some((child) => this.shown[child]) ?? false);
  }

  /** Returns the row of an entry; -1 if it has none. */
  rowOf(place) {
    return this.places.indexOf(place);
  }

  /** Returns the row of an entry, or of its nearest cause that has one; -1 if there is none. */
  rowAround(place) {
    for (let at = place; at >= 0; at = this.recording.parents[at]) {
      const row = this.rowOf(at);
      if (row >= 0) return row;
    }
    return -1;
  }
}
/**
 * Rows of the same height. Only the visible rows are in the document.
 *
 * - For assistive technology, they are a tree or a list: the container has the focus, and names its active row.
 * - `source.count` is the number of rows. `source.row(index)` describes a row:
 *   `{content, level, position, size, isExpanded, marks}`. `source.level(index)` returns only its level.
 * - `source.choose(index)` is called when the user changes the active row, and `source.toggle(index, isExpanded)` when the user
 *   expands or collapses a row.
 */
class Rows {
  /** The maximum number of a list's rows in the document. At most three lists are visible, so there are fewer than 200. */
  static limit = 90;

  active = -1;

  #container;
  #space = element("div", { class: "space", role: "none" });
  #source;
  #role;
  #height = 24;
  #drawn = "";

  constructor(container, source, role = "tree") {
    this.#container = container;
    this.#source = source;
    this.#role = role;
    container.tabIndex = 0;
    container.setAttribute("role", role);
    container.append(this.#space);
    container.addEventListener("scroll", oncePerFrame(() => this.#range() !== this.#drawn && this.draw()));
    container.addEventListener("keydown", (event) => this.#press(event));
    container.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(oncePerFrame(() => this.#resize())).observe(container);
  }

  /** Draws the rows after a change of size. A visible active row stays visible. */
  #resize() {
    const [first, last] = this.#drawn.split(" ").map(Number);
    if (this.active >= first && this.active <= last) this.activate(this.active);
    else this.draw();
  }

  /** Shows the current rows of the source, with an active row. */
  refresh(active = this.active) {
    this.active = Math.min(active, this.#source.count - 1);
    this.draw();
  }

  /** Activates a row, and scrolls to it. */
  activate(index) {
    this.active = index;
    this.#measure();
    if (index >= 0) this.#bringIntoSight(index);
    this.draw();
  }

  #bringIntoSight(index) {
    const { scrollTop, clientHeight } = this.#container;
    const top = index * this.#height;
    const below = top + this.#height - clientHeight;
    if (top >= scrollTop && below <= scrollTop) return;
    // A step scrolls by one row; a jump scrolls its target to the middle.
    const isStep = Math.abs(top < scrollTop ? scrollTop - top : below - scrollTop) <= 2 * this.#height;
    this.#container.scrollTop = !isStep ? top - (clientHeight - this.#height) / 2 : top < scrollTop ? top : below;
  }

  /** Puts the visible rows, and a few around them, into the document. */
  draw() {
    this.#measure();
    this.#drawn = this.#range();
    const [first, last] = this.#drawn.split(" ").map(Number);
    const rows = [];
    for (let index = first; index <= last; index += 1) rows.push(this.#row(index));
    const active = rows.find((row) => row.index === this.active)?.made;
    this.#space.replaceChildren(...rows.map((row) => row.made));
    if (active) this.#container.setAttribute("aria-activedescendant", active.id);
    else this.#container.removeAttribute("aria-activedescendant");
  }

  /** The first and the last row that should be in the document. */
  #range() {
    const { count } = this.#source;
    const { scrollTop, clientHeight } = this.#container;
    const seen = Math.min(Math.ceil(clientHeight / this.#height) + 1, Rows.limit - 8);
    const first = Math.max(0, Math.min(Math.floor(scrollTop / this.#height) - 4, count - 1));
    return `${first} ${clientHeight === 0 ? -1 : Math.min(count - 1, first + seen + 7)}`;
  }

  /** Reads the height of a row from the style, and sets the height of the space. */
  #measure() {
    const height = parseFloat(getComputedStyle(this.#container).getPropertyValue("--row-height"));
    const text = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const old = this.#height;
    this.#height = Math.round((Number.isFinite(height) ? height : 1.5) * text);
    this.#space.style.height = `${this.#source.count * this.#height}px`;
    // In a narrow window, rows are higher: the visible rows stay visible.
    if (this.#height !== old) this.#container.scrollTop *= this.#height / old;
  }

  #row(index) {
    const { content, level, position, size, isExpanded, marks } = this.#source.row(index);
    const made = element(
      "div",
      {
        class: `row${index === this.active ? " active" : ""}${marks ? ` ${marks}` : ""}`,
        id: `${this.#container.id}-row-${index}`,
        role: this.#role === "tree" ? "treeitem" : "option",
        "aria-level": this.#role === "tree" ? level : undefined,
        "aria-posinset": position,
        "aria-setsize": size,
        "aria-expanded": isExpanded === undefined ? undefined : String(isExpanded),
        "aria-selected": String(index === this.active),
      },
      ...content
    );
    made.dataset.index = index;
    made.style.top = `${index * this.#height}px`;
    made.style.height = `${this.#height}px`;
    if (level > 1) made.style.setProperty("--level", Math.min(level - 1, 16));
    return { index, made };
  }

  #click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const index = Number(row.dataset.index);
    const isTwist = event.target.closest(".twist") !== null;
    const { isExpanded } = this.#source.row(index);
    if (isTwist && isExpanded !== undefined) {
      this.#source.toggle(index, !isExpanded);
      return;
    }
    this.active = index;
    this.draw();
    this.#source.choose(index);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.#container) return;
    const { count } = this.#source;
    if (count === 0) return;
    const page = Math.max(1, Math.floor(this.#container.clientHeight / this.#height) - 1);
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count };
    if (Object.hasOwn(moves, event.key)) this.#move(this.active + moves[event.key]);
    else if (event.key === "ArrowRight") this.#expand();
    else if (event.key === "ArrowLeft") this.#collapse();
    else if (event.key === "Enter" || event.key === " ") this.#enter();
    else if (event.key === "*" && this.#source.expandBelow && this.active >= 0) this.#source.expandBelow(this.active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(index) {
    this.activate(Math.max(0, Math.min(index, this.#source.count - 1)));
    this.#source.choose(this.active);
  }

  #enter() {
    if (this.active < 0) return;
    const { isExpanded } = this.#source.row(this.active);
    if (isExpanded === undefined) this.#source.choose(this.active);
    else this.#source.toggle(this.active, !isExpanded);
  }

  #expand() {
    if (this.active < 0) return;
    const { isExpanded } = this.#source.row(this.active);
    if (isExpanded === false) this.#source.toggle(this.active, true);
    else if (isExpanded === true) this.#move(this.active + 1);
  }

  #collapse() {
    if (this.active < 0) return;
    const { isExpanded } = this.#source.row(this.active);
    if (isExpanded === true) {
      this.#source.toggle(this.active, false);
      return;
    }
    const level = this.#source.level(this.active);
    let index = this.active - 1;
    while (index >= 0 && this.#source.level(index) >= level) index -= 1;
    if (index >= 0) this.#move(index);
  }
}
/**
 * A value as a tree that can be expanded.
 *
 * - Only expanded values are visited, without recursion. A list or object shows its first 200 values, and more on request.
 * - When another value is shown, expanded paths stay expanded, and the active row stays at its path.
 * - If the previous value is known, differences are marked. Shared values aren't compared.
 */
class ValueTree {
  static step = 200;

  /** The maximum number of rows after one press of the key that expands everything below. */
  static most = 5000;

  #rows;
  #shown;
  #lines = [];
  #expanded = new Map();
  #root = missing;
  #before;
  #label;

  /** `label` returns the text of a key at the top; `shown` receives the path and the value of a row that becomes active. */
  constructor(container, { label = (key) => keysText([key]), shown = () => {} } = {}) {
    this.#label = label;
    this.#shown = shown;
    this.#rows = new Rows(container, this);
  }

  /** The expanded keys at the top. Each has a map of the expanded keys below it. */
  get expanded() {
    return this.#expanded;
  }

  /** Shows the content of a value. `before` is the value to compare it with. */
  show(root, before) {
    const path = this.pathOf(this.#rows.active);
    this.#root = root;
    this.#before = before;
    this.#flatten();
    this.#rows.refresh(Math.max(0, this.#indexOf(path)));
    this.#tell();
  }

  /** Draws the rows again, for example after they have become visible. */
  refresh() {
    this.#rows.draw();
  }

  /** Expands everything around a path, and activates its row. */
  reveal(path) {
    let expanded = this.#expanded;
    let value = this.#root;
    for (const key of path.slice(0, -1)) {
      if (!expanded.has(key)) expanded.set(key, new Map());
      value = isContainer(value) ? own(value, key) : missing;
      expanded = expanded.get(key);
    }
    this.#flatten();
    this.#rows.refresh();
    this.#rows.activate(Math.max(0, this.#indexOf(path)));
    this.#tell();
  }

  #flatten() {
    this.#lines = [];
    const open = [this.#level(this.#root, this.#before, this.#expanded)];
    while (open.length > 0) {
      const level = open[open.length - 1];
      if (level.next === level.size || level.next >= level.limit) {
        if (level.next < level.size) this.#lines.push({ level: open.length, position: level.next + 1, size: level.size, more: level });
        open.pop();
        continue;
      }
      const key = level.keys ? level.keys[level.next] : level.next;
      const value = level.value[key];
      const before = isContainer(level.before) ? own(level.before, key) : missing;
      level.next += 1;
      this.#lines.push({
        key, value, level: open.length, position: level.next, size: level.size, expanded: level.expanded,
        isChanged: level.before !== undefined && before !== value, isAdded: before === missing,
      });
      const below = level.expanded.get(key);
      if (below && childCount(value) > 0) open.push(this.#level(value, level.before === undefined ? undefined : before, below));
    }
  }

  #level(value, before, expanded) {
    const size = childCount(value);
    const keys = kindOf(value) === "object" ? keysOf(value) : undefined;
    return { value, before, expanded, keys, size, next: 0, limit: expanded.limit ?? ValueTree.step };
  }

  // MARK: The source of the rows

  get count() {
    return this.#lines.length;
  }

  level(index) {
    return this.#lines[index].level;
  }

  row(index) {
    const line = this.#lines[index];
    const { level, position, size } = line;
    if (line.more) {
      const text = `… ${countText(line.size - line.more.limit)} more: press Enter, or click, for the next`;
      return { content: [element("span", { class: "twist" }, "+"), text], level, position, size, isExpanded: false, marks: "more" };
    }
    const isOpen = childCount(line.value) > 0 ? line.expanded.has(line.key) : undefined;
    return { content: this.#content(line, isOpen), level, position, size, isExpanded: isOpen, marks: line.isChanged ? "changed" : "" };
  }

  #content({ key, value, level, isChanged, isAdded }, isOpen) {
    const kind = kindOf(value);
    const count = childCount(value);
    const text = isOpen ? (kind === "array" ? `[${countText(count)}]` : `{${countText(count)}}`) : preview(value, 160);
    const name = level === 1 ? this.#label(key) : typeof key === "number" ? `[${key}]` : visible(programKey(key), 80) || '""';
    return [
      element("span", { class: "twist", "aria-hidden": "true" }, isOpen === undefined ? "" : isOpen ? "▾" : "▸"),
      level > 16 ? element("span", { class: "depth" }, `${level} `) : undefined,
      element("span", { class: "key" }, name),
      element("span", { class: "colon" }, ": "),
      element("span", { class: `leaf ${kind}` }, text),
      isChanged ? element("span", { class: "mark" }, isAdded ? "new" : "changed") : undefined,
    ];
  }

  choose() {
    this.#tell();
  }

  toggle(index, isExpanded) {
    const line = this.#lines[index];
    if (line.more) line.more.expanded.limit = line.more.limit + ValueTree.step;
    else if (isExpanded) line.expanded.set(line.key, new Map());
    else line.expanded.delete(line.key);
    this.#flatten();
    this.#rows.refresh(index);
    this.#tell();
  }

  /** Expands everything below a row, level by level, until there are too many rows. */
  expandBelow(index) {
    const { key, value, expanded } = this.#lines[index];
    if (expanded === undefined) return;
    const waiting = [{ key, value, expanded }];
    let made = 0;
    for (let next = 0; next < waiting.length && made < ValueTree.most; next += 1) {
      const { key, value, expanded } = waiting[next];
      const count = childCount(value);
      if (count === 0) continue;
      const below = expanded.get(key) ?? new Map();
      expanded.set(key, below);
      const shown = Math.min(count, below.limit ?? ValueTree.step);
      made += shown;
      for (let place = 0; place < shown; place += 1) {
        const child = Array.isArray(value) ? place : keysOf(value)[place];
        if (isContainer(value[child])) waiting.push({ key: child, value: value[child], expanded: below });
      }
    }
    this.#flatten();
    this.#rows.refresh(index);
  }

  /** Returns the path of a row, from the top. */
  pathOf(index) {
    const path = [];
    let level = Infinity;
    for (let at = index; at >= 0 && level > 1; at -= 1) {
      const line = this.#lines[at];
      if (line === undefined || line.more || line.level >= level) continue;
      path.push(line.key);
      level = line.level;
    }
    return path.reverse();
  }

  #indexOf(path) {
    let index = -1;
    for (let depth = 0; depth < path.length; depth += 1) {
      let at = index + 1;
      while (at < this.#lines.length && !(this.#lines[at].level === depth + 1 && this.#lines[at].key === path[depth])) {
        if (this.#lines[at].level <= depth) return index;
        at += 1;
      }
      if (at === this.#lines.length) return index;
      index = at;
    }
    return index;
  }

  #tell() {
    const line = this.#lines[this.#rows.active];
    if (line === undefined) this.#shown([], missing);
    else if (!line.more) this.#shown(this.pathOf(this.#rows.active), line.value);
  }
}
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
const stages = ["waited", "intercepted", "reduced", "performed", "delivered"];
const stageTitles = {
  waited: "Waited in the mailbox", intercepted: "Interceptors", reduced: "Reducers", performed: "Effects", delivered: "Observers",
};

/** An entry's times as consecutive bars; `undefined` if none were measured. */
function timeBars(times) {
  if (!Array.isArray(times)) return undefined;
  const durations = stages.map((_, index) => (typeof times[index + 1] === "number" ? Math.max(0, times[index + 1]) : undefined));
  const whole = durations.reduce((sum, duration) => sum + (duration ?? 0), 0);
  const list = element("dl", { class: "times" });
  const text = (content) => element("dd", {}, element("span", {}, content));
  list.append(element("dt", {}, "Accepted"), text(`${durationText(times[0])} after the beginning`));
  let start = 0;
  for (const [index, stage] of stages.entries()) {
    const duration = durations[index];
    if (duration === undefined) continue;
    const lane = element("span", { class: "lane", "aria-hidden": "true" });
    if (duration > 0) {
      const bar = element("span", { class: `bar ${stage}` });
      bar.style.marginInlineStart = `${(start / whole) * 100}%`;
      bar.style.width = `${(duration / whole) * 100}%`;
      lane.append(bar);
    }
    start += duration;
    list.append(element("dt", {}, stageTitles[stage]), element("dd", {}, lane, element("span", {}, durationText(duration))));
  }
  list.append(element("dt", {}, "Together"), text(durationText(whole)));
  return list;
}

/** The slider for the position, with an overview of the number of changes, and of the problems. */
class Timeline {
  #page;
  #slider = byId("slider");
  #overview = byId("overview");

  constructor(page) {
    this.#page = page;
    const show = oncePerFrame(() => page.show(Number(this.#slider.value)));
    this.#slider.addEventListener("input", show);
    const moves = { first: () => 0, previous: () => page.position - 1, next: () => page.position + 1, last: () => page.recording.length };
    for (const [id, target] of Object.entries(moves)) byId(id).addEventListener("click", () => page.show(target()));
    const draw = oncePerFrame(() => this.draw());
    new ResizeObserver(draw).observe(this.#overview);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }

  /** Shows the page's position. */
  show() {
    const { position, recording, isLoading } = this.#page;
    this.#slider.max = recording.length;
    this.#slider.value = position;
    const what = position === 0 ? "before the first action" : `after ${visible(recording.text(position - 1), 80)}`;
    this.#slider.setAttribute("aria-valuetext", isLoading ? "loading" : `${position} of ${recording.length}, ${what}`);
    byId("position").textContent = isLoading ? "Loading…" : `${countText(position)} / ${countText(recording.length)}`;
    for (const id of ["first", "previous"]) byId(id).disabled = position === 0;
    for (const id of ["next", "last"]) byId(id).disabled = position === recording.length;
  }

  /** Draws the overview: a bar for the number of changes, and a mark for each outcome other than `reduced`. */
  draw() {
    const { entries } = this.#page.recording;
    const canvas = this.#overview;
    const style = getComputedStyle(canvas);
    const width = (canvas.width = Math.round(canvas.clientWidth * devicePixelRatio));
    const height = (canvas.height = Math.round(canvas.clientHeight * devicePixelRatio));
    const drawing = canvas.getContext("2d");
    if (!drawing || width === 0 || entries.length === 0) return;
    const count = Math.min(entries.length, Math.max(1, Math.floor(width / (3 * devicePixelRatio))));
    const columns = Array.from({ length: count }, () => ({ changes: 0, marks: 0 }));
    for (const [place, entry] of entries.entries()) {
      const column = columns[Math.floor((place * count) / entries.length)];
      column.changes += Array.isArray(entry.changes) ? entry.changes.length : 0;
      if (entry.outcome === "failed" || entry.outcome === "dropped" || entry.outcome === "revoked") column.marks += 1;
    }
    const most = columns.reduce((most, column) => Math.max(most, column.changes), 1);
    for (const [place, { changes, marks }] of columns.entries()) {
      const left = Math.round((place * width) / count);
      const right = Math.max(left + 1, Math.round(((place + 1) * width) / count) - devicePixelRatio);
      const tall = Math.ceil((Math.sqrt(changes / most)) * (height - 4 * devicePixelRatio));
      drawing.fillStyle = style.getPropertyValue("color");
      drawing.fillRect(left, height - tall, right - left, tall);
      drawing.fillStyle = style.getPropertyValue("outline-color");
      if (marks > 0) drawing.fillRect(left, 0, right - left, 3 * devicePixelRatio);
    }
  }
}
/** A list of stores or tasks, each with a bar for its duration in the recording. */
class Tracks {
  #page;
  #rows;
  #span;
  #end = 1;
  #detail;

  /** `items` are `{level, position, size, name, state, began, ended, chosen}`; `chosen` returns the content of the detail. */
  constructor(page, name, role) {
    this.#page = page;
    this.#span = byId(`${name}-span`);
    this.#detail = byId(`${name}-detail`);
    this.items = [];
    this.#rows = new Rows(byId(name), this, role);
  }

  show(items, empty) {
    this.items = items;
    this.#end = this.#page.recording.end;
    this.#span.textContent = items.length === 0 ? (this.#page.isLoading ? "Loading…" : empty) : `${counted(items.length, "row")} over ${durationText(this.#end)}; the line marks the moment on this page`;
    this.#rows.refresh();
    if (this.#rows.active < 0) this.#detail.replaceChildren(element("p", { class: "quiet" }, "Nothing is selected."));
  }

  /** Shows the time of the page's position. */
  refresh() {
    this.#rows.draw();
  }

  activate(index) {
    this.#rows.activate(index);
    this.choose(index);
  }

  get count() {
    return this.items.length;
  }

  level(index) {
    return this.items[index].level;
  }

  row(index) {
    const { level, position, size, name, state, began, ended } = this.items[index];
    const start = this.#share(began);
    const bar = element("span", { class: `bar ${state}` });
    bar.style.left = `${start}%`;
    bar.style.width = `${Math.max(0, this.#share(typeof ended === "number" ? ended : this.#end) - start)}%`;
    const now = element("span", { class: "now" });
    const time = this.#page.time;
    now.hidden = time === undefined;
    now.style.left = `${this.#share(time ?? 0)}%`;
    const until = typeof ended === "number" ? ended : this.#end;
    const length = typeof began === "number" ? `${durationText(until - began)}${ended === undefined ? ", so far" : ""}` : "";
    return {
      content: [
        element("span", { class: "name" }, name),
        element("span", { class: "state" }, ` ${state} `),
        element("span", { class: "when" }, length),
        element("span", { class: "lane", "aria-hidden": "true" }, bar, now),
      ],
      level, position, size, isExpanded: undefined,
    };
  }

  #share(time) {
    return typeof time === "number" ? Math.max(0, Math.min(100, (time / this.#end) * 100)) : 0;
  }

  choose(index) {
    const item = this.items[index];
    if (item) this.#detail.replaceChildren(...item.chosen());
  }

  toggle() {}
}

/** A list of facts. */
function factList(facts) {
  const list = element("dl", { class: "facts" });
  for (const [title, content] of facts) {
    if (content !== undefined) list.append(element("dt", {}, title), element("dd", {}, content));
  }
  return list;
}
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
/** The connection to the program that serves this page. It receives events, and sends commands. */
class LiveConnection {
  static longestWait = 8000;

  #path;
  #hear;
  #tell;
  #wait = 500;
  #source;

  /** `hear` receives each event; `tell` receives "connected" or "lost". A lost connection is retried with growing pauses. */
  constructor(path, hear, tell) {
    this.#path = path;
    this.#hear = hear;
    this.#tell = tell;
    this.#connect();
  }

  #connect() {
    this.#source = new EventSource(`${this.#path}/events`);
    this.#source.addEventListener("open", () => {
      this.#wait = 500;
      this.#tell("connected");
    });
    this.#source.addEventListener("message", ({ data }) => this.#take(data));
    this.#source.addEventListener("error", () => {
      this.#tell("lost");
      // The browser reconnects by itself, unless the server's answer was not a stream of events.
      if (this.#source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(LiveConnection.longestWait, this.#wait * 2);
    });
  }

  #take(data) {
    let event;
    try {
      event = JSON.parse(data);
    } catch {
      return;
    }
    if (isContainer(event)) this.#hear(event);
  }

  /** Sends a command. Returns a sentence if it was refused. */
  async send(command) {
    let response;
    try {
      response = await fetch(`${this.#path}/command`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(command),
      });
    } catch {
      return "The program cannot be reached.";
    }
    if (response.ok) return undefined;
    const answer = await response.json().catch(() => undefined);
    return typeof answer?.error === "string" ? answer.error : `The program answered ${response.status}.`;
  }
}
/** The part of the page that exists only while a program serves it. */
class LiveBar {
  #page;
  #connection;
  #waiting = [];
  #held = 0;
  #isTravelling = false;
  #isConnected = false;
  #sent = 0;

  static pauseTitle = byId("pause").title;

  constructor(page, path) {
    this.#page = page;
    byId("live").hidden = false;
    byId("follow").addEventListener("change", () => this.#follow());
    byId("pause").addEventListener("click", () => this.#pause());
    const commands = {
      travel: () => ({ command: "travel", position: page.position, omitted: page.recording.omitted }),
      "step-back": () => ({ command: "step", by: -1 }),
      "step-forward": () => ({ command: "step", by: 1 }),
      resume: () => ({ command: "resume" }),
      toggle: () => ({ command: "toggle", number: page.entry?.number }),
      "toggle-epoch": () => ({ command: "toggleEpoch", number: page.entry?.number }),
    };
    for (const [id, make] of Object.entries(commands)) byId(id).addEventListener("click", () => this.#send(make()));
    byId("continue").addEventListener("click", () => this.#askToContinue());
    byId("drop").addEventListener("close", () => {
      if (byId("drop").returnValue === "continue") this.#continue();
    });
    byId("dispatch-open").addEventListener("click", () => this.#openDispatch(byId("dispatch").hidden));
    byId("dispatch-close").addEventListener("click", () => this.#openDispatch(false));
    byId("dispatch-copy").addEventListener("click", () => this.#copyAction());
    byId("dispatch").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#dispatchTyped();
    });
    this.#connection = new LiveConnection(path, (event) => this.#hear(event), (state) => this.#connectionIs(state));
    this.show();
  }

  get #isPaused() {
    return byId("pause").getAttribute("aria-pressed") === "true";
  }

  /** `true` if the page shows each new entry by itself. */
  get isFollowing() {
    return byId("follow").checked;
  }

  /** Stops following, because the user has selected something. */
  stay() {
    byId("follow").checked = false;
  }

  /** Enables the commands that are possible for the shown moment. */
  show() {
    const { entry, position, forgotten } = this.#page;
    const isReady = this.#isConnected && !this.#page.isLoading;
    byId("travel").disabled = !isReady || position < forgotten;
    for (const id of ["toggle", "toggle-epoch"]) byId(id).disabled = !isReady || entry === undefined || position <= forgotten;
    for (const id of ["step-back", "step-forward", "dispatch-open"]) byId(id).disabled = !isReady;
    for (const id of ["resume", "continue"]) byId(id).disabled = !isReady || !this.#isTravelling;
    byId("toggle").textContent = entry?.skipped ? "Include again" : "Leave out";
    byId("toggle").title = entry?.skipped
      ? "The program shows the past with this action again."
      : "The program shows the past without this action. New actions wait until you press Resume.";
    if (byId("drop").open) this.#showDropped();
    byId("dispatch-copy").disabled = entry === undefined || !Object.hasOwn(entry, "action");
    byId("program").textContent = this.#page.isLoading ? "" : this.#programText;
  }

  /** The program's position, and the number of waiting actions and events. */
  get #programText() {
    const { programPosition, recording } = this.#page;
    const where = `The program is at ${countText(programPosition)} of ${countText(recording.length)}`;
    const held = this.#held > 0 ? `; ${counted(this.#held, "action")} waiting until it resumes` : "";
    const paused = this.#isPaused ? `; paused, ${counted(this.#waiting.length, "event")} not shown yet` : "";
    return `${where}${this.#isTravelling ? ", showing an earlier moment" : ""}${held}${paused}.`;
  }

  #connectionIs(state) {
    this.#isConnected = state === "connected";
    const badge = byId("connection");
    badge.textContent = this.#isConnected ? "Live" : "Connection lost, reconnecting";
    badge.classList.toggle("failed", !this.#isConnected);
    badge.classList.toggle("program", this.#isConnected);
    this.show();
  }

  #hear(event) {
    if (!this.#isPaused) this.#take(event);
    else if (event.kind === "recording") this.#waiting = [event];
    else this.#waiting.push(event);
    this.show();
  }

  #take(event) {
    switch (event.kind) {
      case "recording":
        this.#page.open(event.recording, { isLive: true, program: event });
        break;
      case "entries":
        this.#page.append(event);
        break;
      case "position":
        this.#isTravelling = event.isTravelling === true;
        this.#held = typeof event.held === "number" ? event.held : 0;
        this.#page.moveProgram(event);
        break;
      case "skipped":
        tell(`This browser couldn’t keep up: ${counted(typeof event.count === "number" ? event.count : 0, "entry", "entries")} were not sent.`);
        break;
    }
  }

  #pause() {
    const isPaused = !this.#isPaused;
    byId("pause").setAttribute("aria-pressed", String(isPaused));
    byId("pause").textContent = isPaused ? "Follow again" : "Pause";
    byId("pause").title = isPaused ? "This page shows the new entries and follows the program again." : LiveBar.pauseTitle;
    if (!isPaused) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const event of waiting) this.#take(event);
    }
    this.show();
  }

  #follow() {
    if (this.isFollowing) this.#page.show(this.#page.programPosition, { isByHand: false });
  }

  /** Sends a command. If it is refused, the reason is shown until a later command is accepted. */
  async #send(command) {
    this.#sent += 1;
    const number = this.#sent;
    const error = await this.#connection.send(command);
    if (number === this.#sent) tell(error);
    return error;
  }

  // MARK: Continuing from another moment

  /** Asks before actions are dropped. If there are none, it doesn't ask. */
  #askToContinue() {
    if (this.#page.droppedByContinuing === 0) {
      this.#continue();
      return;
    }
    const dialog = byId("drop");
    // Escape would keep the previous answer.
    dialog.returnValue = "";
    dialog.showModal();
    this.#showDropped();
  }

  /** Shows how many actions would be dropped now. When the program resumes, the question closes. */
  #showDropped() {
    if (byId("continue").disabled) {
      byId("drop").close("");
      return;
    }
    const dropped = this.#page.droppedByContinuing;
    const what = `${counted(dropped, "action is", "actions are")} dropped permanently`;
    const held = this.#held > 0 ? ` ${counted(this.#held, "waiting action follows", "waiting actions follow")}.` : "";
    byId("drop-text").textContent = `${what}: all after the moment that the program shows, and all that are left out.${held}`;
  }

  #continue() {
    this.#send({ command: "continueFromHere" });
  }

  // MARK: Dispatching

  #openDispatch(isOpen) {
    byId("dispatch").hidden = !isOpen;
    byId("dispatch-open").setAttribute("aria-expanded", String(isOpen));
    (isOpen ? byId("dispatch-text") : byId("dispatch-open")).focus();
  }

  #copyAction() {
    try {
      byId("dispatch-text").value = JSON.stringify(this.#page.entry.action, null, 2);
    } catch {
      tell("The action is nested too deeply to write here.");
    }
  }

  /** Dispatches an action to the program. */
  dispatch(action) {
    return this.#send({ command: "dispatch", action });
  }

  async #dispatchTyped() {
    let action;
    try {
      action = JSON.parse(byId("dispatch-text").value);
    } catch (error) {
      tell(`This isn’t valid JSON: ${error.message}`);
      return;
    }
    await this.dispatch(action);
  }
}
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
/** Switches between the colors of the system, light colors and dark colors. */
function turnTheme() {
  const themes = ["system", "light", "dark"];
  const root = document.documentElement;
  const next = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length];
  root.dataset.theme = next;
  byId("theme").textContent = `Theme: ${next}`;
  page?.timeline.draw();
}

/** Shows a notice at the top. Without a text, hides it. */
function tell(text) {
  byId("notice").hidden = text === undefined;
  byId("notice-text").textContent = text === undefined ? "" : visible(text, 1000);
}

/** Handles the keys that work everywhere except while the user types in a field. */
function pressKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const isTyping = event.target.matches("input:not([type=range]):not([type=checkbox]), textarea, select");
  if (event.key === "Escape" && isTyping) leaveField(event.target);
  else if (isTyping) return;
  else if (event.key === "/") {
    page?.views.choose("actions");
    byId("search").focus();
    byId("search").select();
  } else if (event.key === "?") byId("help").showModal();
  else if (event.key === "Escape") page?.list.clear();
  else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && event.target === document.body) byId("list").focus();
  else return;
  event.preventDefault();
}

function leaveField(field) {
  if (field.type === "search" && field.value !== "") {
    field.value = "";
    field.dispatchEvent(new Event("input"));
  } else byId("list").focus();
}

/** Returns the recording in the page; `undefined` if there is none yet. */
function recordingInPage() {
  const text = byId("recording").textContent;
  byId("recording").textContent = "";
  return text.trim() === "" ? undefined : JSON.parse(text);
}

let page;

function start() {
  byId("theme").addEventListener("click", turnTheme);
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("notice-close").addEventListener("click", () => tell());
  document.addEventListener("keydown", pressKey);
  const path = document.querySelector("meta[name=arbor-live]")?.content;
  try {
    const empty = { format: "arbor-recording", version: 1, entries: [], position: 0 };
    const json = recordingInPage() ?? (path === undefined ? undefined : empty);
    if (json === undefined) throw new Error("there is no recording in it");
    page = new Page(json, { isLoading: path !== undefined });
  } catch (error) {
    tell(`This page cannot be shown: ${error.message}.`);
    return;
  }
  if (path !== undefined) page.live = new LiveBar(page, path);
}

start();
</script>
</body>
</html>

"""###
}
