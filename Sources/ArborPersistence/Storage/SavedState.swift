internal import Arbor

/// The state whose parts are saved: the loaded one, that of a store, or the last one of a store that has gone.
///
/// - It keeps no state while there is a store: what a reducer changes would be copied for that.
final class SavedState<State: Sendable>: Sendable {
  private enum Source: Sendable {
    /// There is no store yet: the state is the one that was loaded.
    case loaded(State)

    /// A store, whose monitor lives as long as it does.
    case store(WeakMonitor)

    /// The store has gone: the state is its last one.
    case ended(State)
  }

  private struct WeakMonitor: Sendable {
    weak var monitor: SavingMonitor<State>?
  }

  private let source: Protected<Source>

  init(_ loaded: State) {
    source = Protected(.loaded(loaded))
  }

  /// Sets the monitor that has the state, before it is saved. Returns the state that was loaded; nil if it was set before.
  func begin(_ monitor: SavingMonitor<State>) -> State? {
    let before = source.withLock { source in
      defer { source = .store(WeakMonitor(monitor: monitor)) }
      return source
    }
    return if case .loaded(let state) = before { state } else { nil }
  }

  /// Sets the last state, before the monitor goes.
  func end(with state: State) {
    source.withLock { $0 = .ended(state) }
  }

  /// The monitor of the store; nil before there is one, and once it has gone.
  var monitor: SavingMonitor<State>? {
    source.withLock { if case .store(let weak) = $0 { weak.monitor } else { nil } }
  }

  var hasStore: Bool { source.withLock { if case .store = $0 { true } else { false } } }

  /// `true` once there is, or was, a store.
  var hasBegun: Bool { source.withLock { if case .loaded = $0 { false } else { true } } }

  /// The state as it is now; nil if there is no store. On the tree's queue.
  var onTree: State? { monitor?.presentOnTree }

  /// Reads the state as it is now.
  ///
  /// - Parameter begin: Called at that moment, on the tree's queue if there is a store; with `false` before there is one:
  ///   a store that is made meanwhile does nothing before this has returned.
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

  /// Calls a body on the tree's queue, after everything that the store has accepted; when the store has gone at once.
  /// Does not call it before there is a store.
  func wait(_ body: () -> Void) {
    guard hasBegun else { return }
    if monitor?.wait({ _ in body() }) != true { body() }
  }
}
