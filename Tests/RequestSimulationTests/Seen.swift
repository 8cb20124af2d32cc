import ArborRequests

/// Everything that a user of a cache can see after an operation.
struct Seen: Equatable {
  /// The state of an observed entry.
  struct State: Hashable, Sendable {
    var value: [Int]?
    var isStale = false
    var isPending = false
    var isFetching = false
    var fetchedPage: PageDirection?
    var isPrevious = false
    var isWaiting = false
    var failure: RequestFailure.Kind?
  }

  /// An entry of the cache.
  struct Entry: Equatable {
    var hasAnswer: Bool
    var isStale: Bool
    var isFetching: Bool
    var isWaiting: Bool
    var duePages: [PageDirection]
    var failure: RequestFailure.Kind?
    var observers: Int
    var tags: [RequestTag]
    var records: [EntryID]
  }

  /// A pending change.
  struct Change: Equatable {
    /// The input; nil if no change was made with this key.
    var input: SimulatedChange?
    var isSending: Bool
    var failure: RequestFailure.Kind?
  }

  /// The end of a wait.
  enum Outcome: Equatable, Sendable {
    case value([Int])
    case failed(RequestFailure.Kind)
    case canceled
  }

  var entries: [EntryID: Entry] = [:]
  var changes: [Change] = []

  /// The cursors of the open calls of fetches.
  var fetches: [EntryID: [Int]] = [:]

  /// The open calls of changes, in the order they were made.
  var sends: [Int] = []

  /// The numbers of canceled calls that the server still works on.
  var lateCalls: [SimulatedServer.Target: Int] = [:]

  /// `false` if a change was sent with two keys.
  var keysAreStable = true

  /// The values of the slots.
  var slots: [Int: State] = [:]

  /// The states and values that subscribers received during the operation.
  var received: [Int: [State]] = [:]

  /// The waits that ended during the operation.
  var outcomes: [Int: Outcome] = [:]

  /// Returns a line for each part in which two worlds differ.
  func differences(from model: Seen) -> String {
    zip(Mirror(reflecting: self).children, Mirror(reflecting: model).children).compactMap { engine, model in
      let (engineText, modelText) = (Seen.text(engine.value), Seen.text(model.value))
      return engineText == modelText ? nil : "\(engine.label!): \(engineText)\n  and in the model: \(modelText)"
    }.joined(separator: "\n")
  }

  /// Returns a text that is the same for equal dictionaries.
  private static func text(_ part: Any) -> String {
    let text = { (part: Any) in String(describing: part).replacing("RequestSimulationTests.", with: "") }
    guard Mirror(reflecting: part).displayStyle == .dictionary else { return text(part) }
    return Mirror(reflecting: part).children.map { text($0.value) }.sorted().joined(separator: ", ")
  }
}
