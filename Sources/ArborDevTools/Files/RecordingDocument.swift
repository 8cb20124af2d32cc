package import Arbor
package import Foundation

/// The parts of a recording's file: a header, entries, and a trailer.
package enum RecordingDocument {
  /// The format name in the header of each recording's file.
  static let format = "arbor-recording"

  /// The newest version that can be read, and the version that is written.
  package static let version = 1

  /// The numbers that a file may give to entries, stores and tasks.
  ///
  /// - A double represents them exactly, which matters to other programs that read JSON. Counting can continue from each
  ///   of them without overflow.
  static let numbers = 0...(1 << 53)

  /// The part before the entries.
  package struct Header: Equatable, Sendable {
    /// The encoding of a file's values.
    package enum Encoding: String, Sendable {
      /// Made by the values' `Codable` conformances; can be loaded.
      case codable

      /// Made by reflection; can only be inspected.
      case description
    }

    package var name: String

    /// The names of the root's types.
    package var state: String
    package var action: String
    package var began: Date
    package var encoding: Encoding

    /// The own states of the stores that existed before the first entry, by the stores' numbers.
    package var base: RecordedObject

    package init(
      name: String,
      state: String,
      action: String,
      began: Date,
      encoding: Encoding,
      base: RecordedObject
    ) {
      self.name = name
      self.state = state
      self.action = action
      self.began = began
      self.encoding = encoding
      self.base = base
    }
  }

  /// An action with its changes.
  package struct Entry: Equatable, Sendable {
    package var number: Int

    /// The number of the store to which the action was dispatched.
    package var store: Int
    package var name: String
    package var text: String

    /// The action's value; nil if it can't be written.
    package var action: RecordedValue?
    package var cause: ActionCause
    package var outcome: LoggedOutcome

    /// The text of the action that was reduced in place of this one.
    package var replacement: String?

    /// `true` if the action was left out.
    package var isSkipped = false

    /// `true` if the entry stands for a change that can't be repeated.
    package var isBarrier = false

    /// `true` if the step continues with the next entry.
    package var isBatch = false
    package var times: ActionTimes?

    /// The changes since the previous states, for all stores, by their numbers.
    package var changes: [RecordingChange] = []

    /// The stores that came or went just before.
    package var made: [Int] = []
    package var gone: [Int] = []

    package init(
      number: Int,
      store: Int,
      name: String,
      text: String,
      action: RecordedValue? = nil,
      cause: ActionCause = .outside,
      outcome: LoggedOutcome = .reduced
    ) {
      self.number = number
      self.store = store
      self.name = name
      self.text = text
      self.action = action
      self.cause = cause
      self.outcome = outcome
    }
  }

  /// The part after the entries.
  package struct Trailer: Equatable, Sendable {
    package var stores: [Store]
    package var tasks: [Task]

    /// The percentiles of the times that the page shows, by action name; nil if there are none.
    package var metrics: RecordedValue?

    /// The position of the recording: the number of entries that precede it.
    package var position: Int

    /// The number of older actions that are part of the base.
    package var omitted: Int

    package init(
      stores: [Store],
      tasks: [Task] = [],
      metrics: RecordedValue? = nil,
      position: Int,
      omitted: Int = 0
    ) {
      self.stores = stores
      self.tasks = tasks
      self.metrics = metrics
      self.position = position
      self.omitted = omitted
    }

    /// The number of the root store; nil if there is no root.
    package var root: Int? { stores.first { $0.parent == nil }?.id }
  }

  /// A store, with its times in microseconds since the beginning.
  package struct Store: Equatable, Sendable {
    package var id: Int

    /// The number of the parent; nil for the root.
    package var parent: Int?
    package var state: String
    package var made: Double

    /// The time when the store's owner was released; nil if the store still exists.
    package var gone: Double?

    package init(id: Int, parent: Int?, state: String, made: Double, gone: Double? = nil) {
      self.id = id
      self.parent = parent
      self.state = state
      self.made = made
      self.gone = gone
    }
  }

  /// A task, with its times in microseconds since the beginning.
  package struct Task: Equatable, Sendable {
    package enum Outcome: String, Sendable {
      case finished
      case cancelled
      case failed
    }

    package var id: Int
    package var store: Int
    package var key: String?
    package var cause: ActionCause
    package var began: Double

    /// The end of the task and its outcome; nil while the task runs.
    package var ended: Double?
    package var outcome: Outcome?
    package var error: String?

    package init(id: Int, store: Int, key: String?, cause: ActionCause, began: Double) {
      self.id = id
      self.store = store
      self.key = key
      self.cause = cause
      self.began = began
    }
  }
}

extension RecordingDocument.Header: DocumentObject {
  init() {
    self.init(name: "", state: "", action: "", began: Date(), encoding: .codable, base: RecordedObject())
  }

  mutating func exchange<Members: DocumentMembers>(with members: inout Members) throws(Members.Failure) {
    try members.member("name", &name)
    try members.member("state", &state)
    try members.member("action", &action)
    try members.member("began", &began)
    try members.member("encoding", &encoding)
    try members.member("base", &base)
  }
}

extension RecordingDocument.Entry: DocumentObject {
  init() {
    self.init(number: 0, store: 0, name: "", text: "")
  }

  mutating func exchange<Members: DocumentMembers>(with members: inout Members) throws(Members.Failure) {
    try members.member("number", &number)
    try members.member("store", &store)
    try members.member("name", &name)
    try members.member("text", &text)
    try members.member("action", &action)
    try members.member("cause", &cause)
    try members.member("outcome", &outcome)
    try members.member("replacement", &replacement)
    try members.member("skipped", &isSkipped)
    try members.member("barrier", &isBarrier)
    try members.member("batch", &isBatch)
    try members.member("times", &times)
    try members.member("changes", &changes)
    try members.member("made", &made)
    try members.member("gone", &gone)
  }
}

extension RecordingDocument.Trailer: DocumentObject {
  init() {
    self.init(stores: [], position: 0)
  }

  mutating func exchange<Members: DocumentMembers>(with members: inout Members) throws(Members.Failure) {
    try members.member("stores", &stores, isAlways: true)
    try members.member("tasks", &tasks, isAlways: true)
    try members.member("metrics", &metrics)
    try members.member("position", &position)
    var omitted: Int? = omitted
    try members.member("omitted", &omitted)
    self.omitted = omitted ?? 0
  }
}

extension RecordingDocument.Store: DocumentObject {
  init() {
    self.init(id: 0, parent: nil, state: "", made: 0)
  }

  mutating func exchange<Members: DocumentMembers>(with members: inout Members) throws(Members.Failure) {
    try members.member("id", &id)
    try members.member("parent", &parent, isAlways: true)
    try members.member("state", &state)
    try members.member("made", &made)
    try members.member("gone", &gone)
  }
}

extension RecordingDocument.Task: DocumentObject {
  init() {
    self.init(id: 0, store: 0, key: nil, cause: .outside, began: 0)
  }

  mutating func exchange<Members: DocumentMembers>(with members: inout Members) throws(Members.Failure) {
    try members.member("id", &id)
    try members.member("store", &store)
    try members.member("key", &key)
    try members.member("cause", &cause)
    try members.member("began", &began)
    try members.member("ended", &ended)
    try members.member("outcome", &outcome)
    try members.member("error", &error)
  }
}
