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
