import Arbor
import ArborUI
import Observation

/// An observable store as a screen.
final class TypedScreen<State: ScreenState, Action: Sendable>: SimulatedScreen {
  private let store: ObservableStore<State, Action>
  let tree: Int

  /// Makes the action of a number; nil if the screen takes no actions.
  private let makeAction: ((Int) -> Action)?

  init(_ store: ObservableStore<State, Action>, in tree: Int, _ makeAction: ((Int) -> Action)?) {
    self.store = store
    self.tree = tree
    self.makeAction = makeAction
  }

  var object: AnyObject { store }

  func read(_ part: ScreenPart) -> Int {
    switch part {
    case .half: store[\.half]
    case .third: store[\.third]
    case .whole: State.readAll(of: store)
    }
  }

  func track(_ parts: [ScreenPart], _ onChange: @escaping @MainActor (UInt64) -> Void) {
    withObservationTracking {
      for part in parts { _ = read(part) }
    } onChange: { [weak store] in
      MainActor.assumeIsolated {
        guard let store else { return }
        onChange(parts.map { store[untracked: $0.path()] }.digest)
      }
    }
  }

  func send(_ action: Int) {
    if let makeAction { store.send(makeAction(action)) }
  }

  func write(_ value: Int, to part: ScreenPart, _ action: Int) {
    if let makeAction { store.write(value, to: part.path(), makeAction(action)) }
  }

  func makeScope(_ number: Int) -> (any SimulatedScreen)? {
    guard let store = store as? ObservableStore<SimulatedState, SimulatedAction>, let makeAction else { return nil }
    let scope = store.scope(to: \.itself) { (action: SimulatedAction) in action.embedded(in: number) }
    return TypedScreen<SimulatedState, SimulatedAction>(scope, in: tree) { makeAction($0) as! SimulatedAction }
  }

  func makeRows() -> (any SimulatedScreen)? {
    guard let store = store as? ObservableStore<SimulatedState, Action>, let makeAction else { return nil }
    return RowsScreen(store.rows(of: \.table), in: tree, makeAction)
  }

  func makeRow(_ id: Int) -> (any SimulatedScreen)? { nil }
}

extension ScreenPart {
  fileprivate func path<State: ScreenState>() -> KeyPath<State, Int> {
    switch self {
    case .half: \.half
    case .third: \.third
    case .whole: \.all
    }
  }
}
