import ArborEntities
import ArborUI
import Observation

/// The rows of a table as a screen.
final class RowsScreen<Action: Sendable>: SimulatedScreen {
  private let rows: StoreRows<EntityTable<TableRow>, Action>
  let tree: Int
  private let makeAction: (Int) -> Action

  init(_ rows: StoreRows<EntityTable<TableRow>, Action>, in tree: Int, _ makeAction: @escaping (Int) -> Action) {
    self.rows = rows
    self.tree = tree
    self.makeAction = makeAction
  }

  var object: AnyObject { rows }

  func read(_ part: ScreenPart) -> Int { rows.ids.inOne }

  func track(_ parts: [ScreenPart], _ onChange: @escaping @MainActor (UInt64) -> Void) {
    withObservationTracking {
      _ = rows.ids
    } onChange: { [weak rows] in
      MainActor.assumeIsolated {
        guard let rows else { return }
        onChange(parts.map { _ in rows.ids(at: 0..<4).inOne }.digest)
      }
    }
  }

  func send(_ action: Int) {}

  func write(_ value: Int, to part: ScreenPart, _ action: Int) {}

  func makeScope(_ number: Int) -> (any SimulatedScreen)? { nil }

  func makeRows() -> (any SimulatedScreen)? { nil }

  func makeRow(_ id: Int) -> (any SimulatedScreen)? {
    rows[id].map { TypedScreen<TableRow, Action>($0, in: tree, makeAction) }
  }
}

extension [Int] {
  /// The ids, which are below 8, as one number.
  var inOne: Int { reduce(1) { $0 * 8 + $1 } }
}
