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
