internal import Arbor

/// Records the events of a test store's tree.
final class TestRecorder: StoreMonitor {
  /// The reason why an action was reduced.
  enum Role: String, Sendable {
    case sent
    case received
    case skipped

    /// Reduced for a caller that waited for it, bypassing the test store.
    case unasked = "reduced unasked"
  }

  /// An event in the tree.
  enum Event: Sendable {
    case action(Entry)
    case activity(Activity)
  }

  struct Entry: Sendable {
    let role: Role
    let action: any Sendable
    let store: MonitoredStore
    let outcome: ActionOutcome
    let states: [StateTransition]
  }

  struct Activity: Sendable {
    let value: any Sendable
    let store: MonitoredStore
  }

  private struct Content: Sendable {
    var events: [Event] = []

    /// The activities that the test has not received.
    var activities: [Activity] = []

    /// The positions of the stores in the order of their creation, and the store above each.
    var places: [UInt64: Int] = [:]
    var parents: [UInt64: UInt64] = [:]

    /// The roles of the next actions to be reduced. Further ones are `sent` if ``isAsking``, and `unasked` otherwise.
    var roles: [Role] = []
    var unasked: [any Sendable] = []

    /// The failures found where no test is current.
    var failures: [TestFailure] = []

    /// `true` while actions without an announced role count as sent.
    var isAsking = false
  }

  private let content = Protected(Content())

  let timingInterval = 0

  func wantsStates(of action: borrowing MonitoredAction) -> Bool { true }

  func monitor(_ record: borrowing ActionRecord) {
    let (outcome, states) = (record.outcome, record.states)
    // It was not to be reduced, and no report is needed.
    if case .revoked = outcome { return }
    let (action, store) = (record.action.value, record.action.store)
    content.withLock { content in
      let role = content.roles.isEmpty ? content.isAsking ? .sent : .unasked : content.roles.removeFirst()
      if role == .unasked { content.unasked.append(action) }
      let entry = Entry(role: role, action: action, store: store, outcome: outcome, states: states)
      content.events.append(.action(entry))
    }
  }

  func monitor(_ event: StoreEvent, at time: Duration) {
    content.withLock { content in
      switch event {
      case .storeMade(let store):
        content.places[store.id] = content.places.count
        content.parents[store.id] = store.parent
      case .activity(let value, let store):
        let activity = Activity(value: value, store: store)
        content.activities.append(activity)
        content.events.append(.activity(activity))
      default: break
      }
    }
  }

  /// Assigns a role to the next actions to be reduced.
  func expect(_ role: Role, _ count: Int) {
    content.withLock { $0.roles += repeatElement(role, count: count) }
  }

  /// Forgets the announced roles.
  func expectNothing() {
    content.withLock { $0.roles = [] }
  }

  /// `true` while actions without an announced role count as sent.
  var isAsking: Bool {
    get { content.withLock { $0.isAsking } }
    set { content.withLock { $0.isAsking = newValue } }
  }

  /// `true` if one store is another one or below it, so that its events reach that store.
  func isBelow(_ store: MonitoredStore, _ other: MonitoredStore?) -> Bool {
    content.withLock { content in
      var id: UInt64? = store.id
      while let current = id, current != other?.id { id = content.parents[current] }
      return id != nil
    }
  }

  /// All events, in order.
  var events: [Event] { content.withLock { $0.events } }

  /// `true` if there are no events.
  var isEmpty: Bool { content.withLock { $0.events.isEmpty } }

  /// The outcome of the last event if it is an action; `reduced` otherwise.
  var lastOutcome: ActionOutcome {
    guard case .action(let entry) = content.withLock({ $0.events.last }) else { return .reduced }
    return entry.outcome
  }

  /// The activities that the test has not received.
  var activities: [Activity] { content.withLock { $0.activities } }

  func takeActivity(at index: Int) {
    _ = content.withLock { $0.activities.remove(at: index) }
  }

  func takeActivities() -> [Activity] { take(\.activities) }

  /// Returns the actions that were reduced unasked since the last call.
  func takeUnasked() -> [any Sendable] { take(\.unasked) }

  /// Records a failure found in a task or on a thread that belongs to no test, until the test's next call.
  func note(_ failure: TestFailure) {
    content.withLock { $0.failures.append(failure) }
  }

  /// Returns the failures recorded since the last call.
  func takeFailures() -> [TestFailure] { take(\.failures) }

  private func take<Element>(_ list: WritableKeyPath<Content, [Element]>) -> [Element] {
    content.withLock { content in
      defer { content[keyPath: list] = [] }
      return content[keyPath: list]
    }
  }

  /// The name of a store: the type of its state, and its position among the tree's stores if it is not the root.
  func name(of store: MonitoredStore) -> String {
    let number = content.withLock { $0.places[store.id] } ?? 0
    return number == 0 ? store.description : "\(store)#\(number)"
  }
}
