import Arbor
import ArborUI

/// A state that an observable store shows.
protocol ScreenState: Sendable {
  var half: Int { get }
  var third: Int { get }
  var all: Int { get }

  /// Reads the whole state by its concrete type.
  @MainActor static func readAll(of store: ObservableStore<Self, some Sendable>) -> Int
}

extension SimulatedState: ScreenState {
  var third: Int { Int((UInt64(digest.count) &+ digest.all) % 3) }
  var all: Int { Int(truncatingIfNeeded: Digest.mix(UInt64(digest.count), digest.all)) }
  static func readAll(of store: ObservableStore<SimulatedState, some Sendable>) -> Int { store.state.all }
}

extension Int: ScreenState {
  var half: Int { self / 2 }
  var third: Int { self % 3 }
  var all: Int { self }
  static func readAll(of store: ObservableStore<Int, some Sendable>) -> Int { store.state }
}

extension TableRow: ScreenState {
  var half: Int { value / 2 }
  var third: Int { value % 3 }
  var all: Int { value }
  static func readAll(of store: ObservableStore<TableRow, some Sendable>) -> Int { store.state.value }
}
