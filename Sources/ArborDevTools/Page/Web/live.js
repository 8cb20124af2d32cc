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
