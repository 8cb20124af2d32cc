import Arbor

/// A program with stores for the tests to monitor.
enum Example {
  enum Action: Sendable {
    case add(String)
    case count(Double)
    case tick
    case change(Mutation<State>)

    var name: String {
      switch self {
      case .add: "add"
      case .count: "count"
      case .tick: "tick"
      case .change: "change"
      }
    }
  }

  enum ItemAction: Sendable {
    case select
  }

  struct State: Sendable {
    var todos: [String] = []
    var ratio = 0.5
    var note: Note?
  }

  struct Item: Sendable {
    var isSelected = false
  }

  /// A value that is described by its text.
  struct Note: Sendable, Hashable, CustomStringConvertible {
    var text: String
    var description: String { text }
  }

  struct Refusal: Error {}

  static let root = MonitoredStore(id: 1, parent: nil, stateType: State.self)
  static let item = MonitoredStore(id: 7, parent: 1, stateType: Item.self)

  static let times = ActionTimes(
    accepted: .nanoseconds(1_234_567),
    waited: .nanoseconds(1200),
    intercepted: .nanoseconds(80),
    reduced: .nanoseconds(2_100_000),
    delivered: .nanoseconds(14_000_000_000)
  )

  static func change(_ change: (inout State) -> Void) -> StateTransition {
    var state = State()
    change(&state)
    return StateTransition(store: root, before: State(), after: state)
  }
}
