import Arbor
import ArborTesting
import TestSupport

/// A program of scoped features, whose effects record their requests.
enum Shop {
  struct State: Equatable, Sendable {
    var first = Counter()
    var second: Counter?
    var rows: [Row] = []
    var screen = Screen.none
    var total = 0
  }

  enum Action: Equatable, Sendable {
    case first(CounterAction)
    case second(CounterAction)
    case row(Int, CounterAction)
    case screen(ScreenAction)
    case change(Change)

    var first: CounterAction? { if case .first(let action) = self { action } else { nil } }
    var second: CounterAction? { if case .second(let action) = self { action } else { nil } }
    var row: (Int, CounterAction)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
    var screen: ScreenAction? { if case .screen(let action) = self { action } else { nil } }
  }

  /// A change of the whole state, with a name for the output of a test.
  struct Change: Equatable, Sendable {
    let name: String
    let apply: @Sendable (inout State) -> Void

    static func == (left: Change, right: Change) -> Bool { left.name == right.name }
  }

  struct Counter: Equatable, Sendable {
    var count = 0
    var loaded = 0
  }

  enum CounterAction: Equatable, Sendable {
    case add(Int)
    case load
    case loaded(Int)

    /// Starts a task with the key "work" that waits for the gate and then sends `loaded`.
    case work
    case stop
  }

  struct Row: Equatable, Identifiable, Sendable {
    let id: Int
    var counter = Counter()
  }

  enum Screen: Equatable, Sendable {
    case none
    case counter(Counter)
    case row(Row)

    var counter: Counter? { if case .counter(let counter) = self { counter } else { nil } }
    var row: Row? { if case .row(let row) = self { row } else { nil } }
  }

  enum ScreenAction: Equatable, Sendable {
    case counter(CounterAction)
    case row(CounterAction)

    var counter: CounterAction? { if case .counter(let action) = self { action } else { nil } }
    var row: CounterAction? { if case .row(let action) = self { action } else { nil } }
  }

  /// The feature of a counter.
  static func counter(
    interceptors: [Interceptor<Counter, CounterAction>] = [],
    log: RecordedValues<String> = RecordedValues(),
    clock: TestClock? = nil
  ) -> Feature<Counter, CounterAction> {
    Feature(
      interceptors: interceptors,
      effects: { state, action in
        log.append("asked about \(action) with \(state.count)")
        return effect(of: action, state.count, log, clock)
      },
      reducer: { state, action in
        switch action {
        case .add(let number): state.count += number
        case .loaded(let number): state.loaded = number
        case .load, .work, .stop: break
        }
      }
    )
  }

  /// The feature of a row: its counter's feature.
  static func row(log: RecordedValues<String> = RecordedValues(), clock: TestClock? = nil) -> Feature<
    Row, CounterAction
  > {
    counter(log: log, clock: clock).scoped(to: \.counter, action: { $0 }, extract: { $0 })
  }

  static func screen(log: RecordedValues<String> = RecordedValues(), clock: TestClock? = nil) -> Feature<
    Screen, ScreenAction
  > {
    Feature<Screen, ScreenAction>.combined(
      counter(log: log, clock: clock)
        .scoped(toCase: Screen.counter, at: \.counter, action: ScreenAction.counter, extract: \.counter),
      row(log: log, clock: clock).scoped(toCase: Screen.row, at: \.row, action: ScreenAction.row, extract: \.row)
    )
  }

  /// The feature of the whole program.
  static func app(log: RecordedValues<String> = RecordedValues(), clock: TestClock? = nil) -> Feature<State, Action> {
    Feature<State, Action>.combined(
      counter(log: log, clock: clock).scoped(to: \.first, action: Action.first, extract: \.first),
      counter(log: log, clock: clock).scoped(toOptional: \.second, action: Action.second, extract: \.second),
      row(log: log, clock: clock).forEach(\.rows, action: Action.row, extract: \.row),
      screen(log: log, clock: clock).scoped(to: \.screen, action: Action.screen, extract: \.screen),
      Feature { state, action in
        if case .change(let change) = action { change.apply(&state) } else { state.total += 1 }
      }
    )
  }

  private static func effect(
    of action: CounterAction,
    _ count: Int,
    _ log: RecordedValues<String>,
    _ clock: TestClock?
  ) -> Effect<CounterAction> {
    switch action {
    case .load: return .send(.loaded(count * 10))
    case .stop: return .cancel("work")
    case .work:
      return .run(key: "work", mode: .dropCurrent) { dispatch in
        do {
          try await clock?.sleep(for: .seconds(1))
          dispatch(.loaded(count))
        } catch {
          log.append("cancelled at \(count)")
        }
      }
    case .add, .loaded: return .none
    }
  }
}

extension StoreFactory where State == Shop.State, Action == Shop.Action {
  /// Changes the whole state in one step.
  func change(_ name: String = #function, _ apply: @escaping @Sendable (inout Shop.State) -> Void) {
    dispatchAndWait(.change(Shop.Change(name: name, apply: apply)))
  }
}
