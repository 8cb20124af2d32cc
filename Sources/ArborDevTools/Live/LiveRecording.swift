internal import Arbor

/// A running program's recording, for browsers that look at it: a page, its events, and its commands.
///
/// ```swift
/// let live = LiveRecording(recorder, dispatch: { factory.dispatch($0) })
/// server.answer("/\(token)/") { live.page(path: "live") }
/// server.answer("/\(token)/live/events") { browser in
///   var cursor = LiveCursor()
///   while browser.isThere { for message in live.messages(after: &cursor) { await browser.send(message) } }
/// }
/// ```
///
/// - It has no network in it: a server asks for bytes and sends them.
/// - **Browsers pull.** Nothing is kept for a browser but its ``LiveCursor``: one that asks rarely gets more at once, and
///   of what is more than ``entryLimit`` entries behind only the newest, and is told how many it missed. The store
///   waits for no browser, whatever one does with what it was given.
/// - **Redacted** is what the rules say, those of the recorder before those given here, in every message.
/// - All members may be used from any thread. Messages are encoded on the calling one.
public final class LiveRecording<State: Sendable, Action: Sendable>: Sendable {
  /// The greatest number of entries that a browser is sent at once.
  public let entryLimit: Int

  let recorder: Recorder<State, Action>
  let dispatch: (@Sendable (Action) -> Void)?
  private let name: String
  private let rules: RedactionRules<State, Action>

  /// Makes the live recording of a recorder.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - name: The name of the program.
  ///   - redactions: More rules for what no browser is shown.
  ///   - entryLimit: The greatest number of entries that a browser is sent at once, at least 1.
  ///   - dispatch: Dispatches an action that was written in a browser; nil if none may be. The action must be
  ///     `Decodable`.
  public init(
    _ recorder: Recorder<State, Action>,
    named name: String = "\(State.self)",
    redacting redactions: [Redaction<State, Action>] = [],
    entryLimit: Int = 2000,
    dispatch: (@Sendable (_ action: Action) -> Void)? = nil
  ) {
    self.recorder = recorder
    self.name = name
    self.entryLimit = max(entryLimit, 1)
    self.dispatch = dispatch
    rules = RedactionRules(recorder.redactions + redactions)
  }

  /// The page, one HTML file in UTF-8 that asks for nothing but its events.
  ///
  /// - Parameter path: The path of the program's answers, relative to the page: it asks for `path/events`, and sends
  ///   its commands to `path/command`.
  public func page(path: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var page = RecordingPage<Never>(live: path) { bytes += $0 }
    page.finish()
    return bytes
  }

  /// The messages about what has happened since a cursor, each a line of JSON in UTF-8; none if nothing has.
  ///
  /// - At most three, in this order. `{"kind":"skipped","count":120}`: so many entries are never sent. Then a whole one,
  ///   `{"kind":"recording","recording":{…}}`, at first and whenever something but appending has happened, or
  ///   `{"kind":"entries","entries":[…],"stores":[…],"tasks":[…]}`, what was appended and what has changed. And
  ///   `{"kind":"position","isTravelling":true,"held":3}`, with the number of actions that wait.
  /// - The last three have `"position":n,"omitted":m`: the program is behind the nth of the entries that it keeps, and
  ///   there were `m` before them. A recording that is cut to the newest entries has more of its own omitted.
  /// - A store that came or went behind the last entry is in `stores` at once, and its state in the changes of the next
  ///   entry.
  /// - Waits for what the store has accepted before, and enters its queue for a moment; nothing is encoded there.
  /// - Cost: a comparison if nothing has happened. Otherwise each new action is reduced again, and what it changed is
  ///   encoded; entries before are not looked at.
  /// - Parameter cursor: The place up to which the browser has received the recording; a new ``LiveCursor`` if it has
  ///   received nothing. The call moves it behind the messages.
  public func messages(after cursor: inout LiveCursor) -> [[UInt8]] {
    guard let news = recorder.news(for: cursor, limit: entryLimit) else { return [] }
    var messages: [[UInt8]] = []
    if news.skipped > 0 { messages.append(LiveMessage.skipped(news.skipped)) }
    let seen = cursor.moment
    var documents = RecordingDocuments(
      news.recording,
      from: 0,
      changing: news.isWhole ? nil : cursor.states,
      named: name,
      rules
    )
    if news.isWhole {
      messages.append(LiveMessage.recording(&documents, news))
      cursor.stores = news.recording.children.mapValues { $0.gone != nil }
    } else {
      let stores = newStores(of: news, for: &cursor)
      if news.start < news.moment.end || !stores.isEmpty || !news.tasks.isEmpty {
        messages.append(LiveMessage.entries(&documents, news, stores))
      }
    }
    cursor.states = documents.states
    cursor.moment = news.moment
    cursor.taskEnd = news.taskEnd
    cursor.runningTasks = news.runningTasks
    if news.isWhole || !news.moment.isAtSamePosition(as: seen) { messages.append(LiveMessage.position(news.moment)) }
    return messages
  }

  /// The stores that came or went since a cursor, which knows them then.
  private func newStores(of news: LiveNews<State, Action>, for cursor: inout LiveCursor) -> [RecordedChild] {
    guard cursor.moment?.storeChanges != news.moment.storeChanges else { return [] }
    let children = news.recording.children
    let changed = children.values.filter { cursor.stores[$0.store.id] != ($0.gone != nil) }
    cursor.stores = children.mapValues { $0.gone != nil }
    return changed.sorted { $0.store.id < $1.store.id }
  }
}

extension LiveMoment {
  /// `true` if the program shows the same moment in the same way, unless that is the end of the recording.
  fileprivate func isAtSamePosition(as other: LiveMoment?) -> Bool {
    guard let other, isTravelling == other.isTravelling, held == other.held else { return false }
    return !isTravelling || (position == other.position && firstPlace == other.firstPlace)
  }
}

/// The messages to a browser, each a line of JSON.
private enum LiveMessage {
  /// A whole recording, from the entry at which the documents begin.
  static func recording<State, Action>(
    _ documents: inout RecordingDocuments<State, Action>,
    _ news: LiveNews<State, Action>
  ) -> [UInt8] {
    message("recording") { text in
      text.append(",\"recording\":")
      text.begin(documents.header)
      appendEntries(of: &documents, to: &text)
      var trailer = documents.trailer()
      trailer.tasks = news.tasks.map { documents.task(of: $0) }
      text.end(trailer)
      add(news.moment, to: &text)
    }
  }

  /// The entries that follow what a browser has, with the stores and tasks that are new or have changed.
  static func entries<State, Action>(
    _ documents: inout RecordingDocuments<State, Action>,
    _ news: LiveNews<State, Action>,
    _ stores: [RecordedChild]
  ) -> [UInt8] {
    message("entries") { text in
      text.append(",\"entries\":[")
      appendEntries(of: &documents, to: &text)
      text.append("]")
      text.add("stores", stores.map { documents.store(of: $0) })
      text.add("tasks", news.tasks.map { documents.task(of: $0) })
      add(news.moment, to: &text)
    }
  }

  /// The position of the program, and the number of actions that wait while it shows another moment.
  static func position(_ moment: LiveMoment) -> [UInt8] {
    message("position") { text in
      add(moment, to: &text)
      text.add("isTravelling", moment.isTravelling)
      text.add("held", moment.held)
    }
  }

  /// The number of entries that a browser will not get.
  static func skipped(_ count: Int) -> [UInt8] {
    message("skipped") { $0.add("count", count) }
  }

  private static func message(_ kind: String, _ addMembers: (inout JSONText) -> Void) -> [UInt8] {
    var text = JSONText()
    text.append("{")
    text.add("kind", kind)
    addMembers(&text)
    text.append("}")
    return text.bytes
  }

  private static func appendEntries<State, Action>(
    of documents: inout RecordingDocuments<State, Action>,
    to text: inout JSONText
  ) {
    var isFirst = true
    while let entry = documents.next() {
      if !isFirst { text.append(",") }
      isFirst = false
      entry.append(to: &text)
    }
  }

  /// Writes the position by the program's own count, and how many entries it does not count any more.
  private static func add(_ moment: LiveMoment, to text: inout JSONText) {
    text.add("position", moment.position)
    text.add("omitted", moment.firstPlace)
  }
}
