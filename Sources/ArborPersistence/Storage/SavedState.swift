internal import Arbor

/// The state whose parts are saved: the loaded state, the state of a store, or the last state of a store that is gone.
///
/// - It doesn't keep the state while there is a store, because each change by a reducer would then copy data.
final class SavedState<State: Sendable>: Sendable {
  private enum Source: Sendable {
    /// There is no store yet: the state is the loaded one.
    case loaded(State)

    /// A store; its monitor lives as long as it does.
    case store(WeakMonitor)

    /// The store is gone: the state is its last one.
    case ended(State)
  }

  private struct WeakMonitor: Sendable {
    weak var monitor: SavingMonitor<State>?
  }

  private let source: Protected<Source>

  init(_ loaded: State) {
    source = Protected(.loaded(loaded))
  }

  /// Sets the monitor of the state, before it is saved. Returns the loaded state; nil if a monitor was set before.
  func begin(_ monitor: SavingMonitor<State>) -> State? {
    let before = source.withLock { source in
      defer { source = .store(WeakMonitor(monitor: monitor)) }
      return source
    }
    return if case .loaded(let state) = before { state } else { nil }
  }

  /// Sets the last state, before the monitor is released.
  func end(with state: State) {
    source.withLock { $0 = .ended(state) }
  }

  /// The monitor of the store; nil before there is a store, and once it is gone.
  var monitor: SavingMonitor<State>? {
    source.withLock { if case .store(let weak) = $0 { weak.monitor } else { nil } }
  }

  var hasStore: Bool { source.withLock { if case .store = $0 { true } else { false } } }

  /// `true` once there is, or was, a store.
  var hasBegun: Bool { source.withLock { if case .loaded = $0 { false } else { true } } }

  /// The state as it is now; nil if there is no store. Used on the tree's queue.
  var onTree: State? { monitor?.presentOnTree }

  /// Reads the state as it is now.
  ///
  /// - Parameter begin: Called at that moment, on the tree's queue if there is a store. Before there is one, it is
  ///   called with `false`; a store that is made in the meantime waits until this function has returned.
  func read(at begin: (_ hasBegun: Bool) -> Void) -> State {
    let loaded: State? = source.withLock { source in
      guard case .loaded(let state) = source else { return nil }
      begin(false)
      return state
    }
    if let loaded { return loaded }
    var present: State?
    if let monitor {
      _ = monitor.wait { root in
        present = monitor.present(of: root)
        begin(true)
      }
    }
    if let present { return present }
    begin(true)
    guard case .ended(let state) = source.withLock({ $0 }) else {
      preconditionFailure("A store's last state is set before its monitor goes.")
    }
    return state
  }

  /// Calls a body on the tree's queue, after everything that the store has accepted. If the store is gone, calls it at
  /// once; before there is a store, doesn't call it.
  func wait(_ body: () -> Void) {
    guard hasBegun else { return }
    if monitor?.wait({ _ in body() }) != true { body() }
  }
}
