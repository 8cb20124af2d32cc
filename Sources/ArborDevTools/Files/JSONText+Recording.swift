internal import Arbor
internal import Foundation

extension JSONText {
  /// Writes the header's line, up to the entries.
  mutating func append(_ header: RecordingDocument.Header) {
    append("{\"format\":")
    append(quoted: RecordingDocument.format)
    add("version", RecordingDocument.version)
    add("name", header.name)
    add("state", header.state)
    add("action", header.action)
    add("began", header.began.formatted(.iso8601))
    add("encoding", header.encoding.rawValue)
    add("base", .object(header.base))
    append(",\"entries\":[")
  }

  /// Writes an entry.
  package mutating func append(_ entry: RecordingDocument.Entry) {
    append("{\"number\":")
    append(entry.number)
    add("store", entry.store)
    add("name", entry.name)
    add("text", entry.text)
    if let action = entry.action { add("action", action) }
    append(",\"cause\":")
    append(entry.cause)
    add("outcome", entry.outcome.rawValue)
    if let replacement = entry.replacement { add("replacement", replacement) }
    if entry.isSkipped { append(",\"skipped\":true") }
    if entry.isBarrier { append(",\"barrier\":true") }
    if entry.isBatch { append(",\"batch\":true") }
    if let times = entry.times { append(times) }
    if !entry.changes.isEmpty {
      append(",\"changes\":")
      appendList(entry.changes) { $0.append($1) }
    }
    if !entry.made.isEmpty {
      append(",\"made\":")
      appendList(entry.made) { $0.append($1) }
    }
    if !entry.gone.isEmpty {
      append(",\"gone\":")
      appendList(entry.gone) { $0.append($1) }
    }
    append("}")
  }

  private mutating func append(_ times: ActionTimes) {
    append(",\"times\":")
    let times = [
      times.accepted, times.waited, times.intercepted, times.reduced, times.performed, times.delivered,
    ]
    appendList(times) { $0.append(short: $1.microseconds) }
  }

  private mutating func append(_ cause: ActionCause) {
    append("{\"kind\":")
    append(quoted: cause.kind.rawValue)
    if let action = cause.action { add("action", Int(action)) }
    if let task = cause.task { add("task", Int(task)) }
    append("}")
  }

  private mutating func append(_ change: RecordingChange) {
    append("[")
    appendList(change.path) { text, step in
      switch step {
      case .key(let key): text.append(quoted: key)
      case .index(let index): text.append(index)
      }
    }
    if let value = change.value {
      append(",")
      append(value)
    }
    append("]")
  }

  /// Writes what comes behind the entries.
  mutating func append(_ trailer: RecordingDocument.Trailer) {
    append("],\"stores\":")
    appendList(trailer.stores) { $0.append($1) }
    append(",\"tasks\":")
    appendList(trailer.tasks) { $0.append($1) }
    if let metrics = trailer.metrics { add("metrics", metrics) }
    add("position", trailer.position)
    add("omitted", trailer.omitted)
    append("}")
  }

  /// Writes a store.
  package mutating func append(_ store: RecordingDocument.Store) {
    append("{\"id\":")
    append(store.id)
    append(",\"parent\":")
    if let parent = store.parent { append(parent) } else { append("null") }
    add("state", store.state)
    add("made", microseconds: store.made)
    if let gone = store.gone { add("gone", microseconds: gone) }
    append("}")
  }

  /// Writes a task.
  package mutating func append(_ task: RecordingDocument.Task) {
    append("{\"id\":")
    append(task.id)
    add("store", task.store)
    if let key = task.key { add("key", key) }
    append(",\"cause\":")
    append(task.cause)
    add("began", microseconds: task.began)
    if let ended = task.ended { add("ended", microseconds: ended) }
    if let outcome = task.outcome { add("outcome", outcome.rawValue) }
    if let error = task.error { add("error", error) }
    append("}")
  }

  // MARK: Members

  private mutating func beginMember(_ key: StaticString) {
    append(",\"")
    append(key)
    append("\":")
  }

  private mutating func add(_ key: StaticString, _ value: String) {
    beginMember(key)
    append(quoted: value)
  }

  private mutating func add(_ key: StaticString, _ value: Int) {
    beginMember(key)
    append(value)
  }

  private mutating func add(_ key: StaticString, _ value: RecordedValue) {
    beginMember(key)
    append(value)
  }

  private mutating func add(_ key: StaticString, microseconds: Double) {
    beginMember(key)
    append(short: microseconds)
  }

  /// Writes a number, without ".0" if it is a whole one.
  private mutating func append(short number: Double) {
    if let whole = Int64(exactly: number) { append(whole) } else { append(number) }
  }

  mutating func appendList<Element>(_ elements: [Element], _ body: (inout JSONText, Element) -> Void) {
    append("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      body(&self, element)
    }
    append("]")
  }
}
