public import Observation

/// A store's state for the main actor, as SwiftUI and `withObservationTracking` want it: who reads a part is told when that
/// part changes, and of nothing else.
///
/// ```swift
/// let observable = factory.observable()
/// withObservationTracking {
///   print(observable.count)
/// } onChange: {
///   print("the count changes")
/// }
/// ```
///
/// - Parts are read through dynamic members, stored and computed ones alike. One that is `Equatable` is told of when its value
///   is another one; any other with each delivery.
/// - It follows the latest state on the main actor: after a `dispatchAndWait` on the main actor it is up to date. Once the
///   store's owner is gone it keeps the last state.
/// - It keeps no part of the tree alive.
/// - Cost: the state twice while it is updated, else once; a comparison of each part that was ever read, in each delivery.
@MainActor
@dynamicMemberLookup
public final class ObservableStore<State: Sendable, Action: Sendable>: Observable {
  private let store: Store<State, Action>
  private let registrar = ObservationRegistrar()
  private var subscription: StoreSubscription?
  private var current: State

  /// The parts that were read, each with how to tell that it is another one.
  private var parts: [PartialKeyPath<State>: (_ old: State, _ new: State) -> Bool] = [:]

  init(_ store: Store<State, Action>, state: State) {
    self.store = store
    current = state
    subscription = store.observe(on: .main) { [weak self] (state: State) in self?.update(to: state) }
  }

  /// The whole state; told of with each delivery.
  public var state: State { self[dynamicMember: \.self] }

  /// A part of the state; told of when its value is another one.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath) { old, new in old[keyPath: keyPath] != new[keyPath: keyPath] }
  }

  /// A part of the state that cannot be compared; told of with each delivery.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath) { _, _ in true }
  }

  /// Sends an action, as ``Store/dispatch(_:)``.
  public func dispatch(_ action: Action) {
    store.dispatch(action)
  }

  /// Sends an action and returns after its step, the state here being up to date; as the same method of ``Store``.
  @available(*, noasync, message: "await the asynchronous form of a Store")
  public func dispatchAndWait(_ action: Action) {
    store.dispatchAndWait(action)
  }

  private func read<Value>(
    _ keyPath: KeyPath<State, Value>,
    hasChanged: @escaping (_ old: State, _ new: State) -> Bool
  ) -> Value {
    if parts[keyPath] == nil { parts[keyPath] = hasChanged }
    registrar.access(self, keyPath: \.[part: keyPath])
    return current[keyPath: keyPath]
  }

  private func update(to state: State) {
    let changed = parts.filter { _, hasChanged in hasChanged(current, state) }.keys
    for keyPath in changed { registrar.willSet(self, keyPath: \.[part: keyPath]) }
    current = state
    for keyPath in changed { registrar.didSet(self, keyPath: \.[part: keyPath]) }
  }

  /// What the registrar knows a part by.
  private nonisolated subscript(part keyPath: PartialKeyPath<State>) -> Void { () }
}

extension Store {
  /// The state for the main actor; nil once the owner is gone, or while the scope is nil.
  @MainActor
  public func observable() -> ObservableStore<State, Action>? {
    state.map { ObservableStore(self, state: $0) }
  }
}

extension StoreFactory {
  /// The root's state for the main actor.
  @MainActor
  public func observable() -> ObservableStore<State, Action> {
    ObservableStore(root, state: state)
  }
}
