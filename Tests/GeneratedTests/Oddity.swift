import Arbor
import ArborDevTools
import ArborTesting

/// A program of rare values: tuples, optionals of optionals, protocols, stamps, and actions without equality.
struct Oddity: Equatable, Sendable {
  var step = 0
  var pair: (Int, name: String)? = (0, name: "")
  var rows: [String: Row?] = ["a": Row(id: 1, title: ""), "b": nil]
  var nested: [[Row]?] = [[Row(id: 1, title: "")], nil]
  var errors: [any Error & Sendable] = [Sampled.Refusal.offline]
  var money = Sampled.Money(cents: 1)
  @Stamped var stamped = Address()
  var choice: Sampled.Choice?
  var loose = Sampled.Loose()

  static func == (left: Oddity, right: Oddity) -> Bool { "\(left.parts)" == "\(right.parts)" }

  /// All parts except the stamp.
  private var parts: [Any] { [step, pair as Any, rows, nested, errors, money, stamped, choice as Any, loose] }

  /// The changes to make, one after the other.
  static let changes: [@Sendable (inout Oddity) -> Void] = [
    { $0.pair?.name = "a" }, { $0.pair = nil }, { $0.rows["a"]??.title = "b" }, { $0.rows["b"] = nil as Row?? },
    { $0.rows["a"] = .some(nil) }, { $0.nested[0]?[0].title = "c" }, { $0.nested[1] = [] },
    { $0.errors[0] = Sampled.Refusal.code(1) }, { $0.money = Sampled.Money(cents: 2) }, { $0.stamped.city = "d" },
    { $0.choice = .second }, { $0.choice = nil }, { $0.loose.number = Label.none },
    { $0.loose.count = 2 }, { _ in },
  ]

  /// The text of a test file that performs all of it.
  static func file() throws -> String {
    let (executor, monitor) = (ManualExecutor(), RunMonitor<Oddity, OddAction>())
    let factory = StoreFactory(
      initialState: Oddity(),
      feature: oddity,
      settings: TreeSettings(monitors: [monitor], executor: executor)
    )
    for _ in changes {
      factory.dispatch(.next)
      executor.run()
    }
    var source = TestSource(name: "all of it", initialState: Oddity(), steps: monitor.steps)
    source.makeStore = "TestStore(initialState: …, feature: oddity)"
    return try TestFile(suite: "OddityTests").text(of: [source.function()])
  }
}

enum OddAction: Sendable {
  case next
  case count(Int)
  case failed(any Error & Sendable)
}

let oddity = Feature<Oddity, OddAction>(
  effects: { oddity, action in
    guard case .next = action else { return .none }
    return .merge(.send(.count(1)), .send(.failed(Sampled.Refusal.offline)))
  },
  reducer: { oddity, action in
    switch action {
    case .next: Oddity.changes[oddity.step](&oddity)
    case .count(let count): oddity.step += count
    case .failed: break
    }
  }
)
