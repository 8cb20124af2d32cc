internal import Arbor

/// The recording of a running program, for browsers: a page, its events, and its commands.
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
/// - It contains no networking: your server requests the bytes and sends them.
/// - **Browsers pull.** The only thing kept for a browser is its ``LiveCursor``. A browser that rarely asks gets more at
///   once. If it is more than ``entryLimit`` entries late, it only gets the newest ones, and the number it missed. The
///   store never waits for a browser.
/// - **Redaction.** Every message is redacted by the rules of the recorder, and then by the rules passed here.
/// - You can use all members from any thread. Messages are encoded on the calling thread.
public final class LiveRecording<State: Sendable, Action: Sendable>: Sendable {
  /// The maximum number of entries that a browser is sent at once.
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
  ///   - redactions: Additional rules for data that no browser may show.
  ///   - entryLimit: The maximum number of entries that a browser is sent at once, at least 1.
  ///   - dispatch: Dispatches an action that was written in a browser; nil if browsers may not dispatch. The action must
  ///     be `Decodable`.
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

  /// Returns the page: one HTML file in UTF-8 that requests nothing but its events.
  ///
  /// - Parameter path: The path of the program's answers, relative to the page: it requests `path/events`, and sends its
  ///   commands to `path/command`.
  public func page(path: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var page = RecordingPage<Never>(live: path) { bytes += $0 }
    page.finish()
    return bytes
  }

  /// Returns the messages about everything that happened since a cursor; none if nothing happened.
  ///
  /// - Each message is a line of JSON in UTF-8. There are at most three, in this order:
  ///   - `{"kind":"skipped","count":120}`: this many entries are never sent.
  ///   - `{"kind":"recording","recording":{…}}`, a whole recording, at first and after any change other than appending;
  ///     or `{"kind":"entries","entries":[…],"stores":[…],"tasks":[…]}`, with everything that was appended or changed.
  ///   - `{"kind":"position","isTravelling":true,"held":3}`, with the number of actions that wait.
  /// - All but `skipped` have `"position":n,"omitted":m`: the program shows the state after the nth entry that it keeps,
  ///   and there were `m` entries before those. A recording that is cut to the newest entries omits more.
  /// - A store that was made or released after the last entry is in `stores` at once. Its state is in the changes of
  ///   the next entry.
  /// - The call waits for everything the store accepted before, and briefly enters its queue; nothing is encoded there.
  /// - Cost: a comparison if nothing happened. Otherwise each new action is reduced again and its changes are encoded;
  ///   earlier entries cost nothing.
  /// - Parameter cursor: The place up to which the browser has received the recording; a new ``LiveCursor`` if it has
  ///   received nothing. The call moves the cursor past the messages.
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

  /// Returns the stores that came or went since a cursor, and updates the cursor.
  private func newStores(of news: LiveNews<State, Action>, for cursor: inout LiveCursor) -> [RecordedChild] {
    guard cursor.moment?.storeChanges != news.moment.storeChanges else { return [] }
    let children = news.recording.children
    let changed = children.values.filter { cursor.stores[$0.store.id] != ($0.gone != nil) }
    cursor.stores = children.mapValues { $0.gone != nil }
    return changed.sorted { $0.store.id < $1.store.id }
  }
}

extension LiveMoment {
  /// Returns `true` if the program shows the same moment in the same way. All moments in the present are the same.
  fileprivate func isAtSamePosition(as other: LiveMoment?) -> Bool {
    guard let other, isTravelling == other.isTravelling, held == other.held else { return false }
    return !isTravelling || (position == other.position && firstPlace == other.firstPlace)
  }
}

/// The messages to a browser, each a line of JSON.
private enum LiveMessage {
  /// Returns a whole recording, starting with the first entry of the documents.
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

  /// Returns the entries that a browser doesn't have yet, with the stores and tasks that are new or have changed.
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

  /// Returns the position of the program, and the number of actions that wait while it shows another moment.
  static func position(_ moment: LiveMoment) -> [UInt8] {
    message("position") { text in
      add(moment, to: &text)
      text.add("isTravelling", moment.isTravelling)
      text.add("held", moment.held)
    }
  }

  /// Returns the number of entries that a browser will never get.
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

  /// Writes the position in the entries that the program keeps, and the number of entries before them.
  private static func add(_ moment: LiveMoment, to text: inout JSONText) {
    text.add("position", moment.position)
    text.add("omitted", moment.firstPlace)
  }
}
