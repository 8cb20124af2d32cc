public import Observation

/// A store's state on the main actor, for SwiftUI and `withObservationTracking`: a reader of a part of the state is
/// notified only when that part changes.
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
/// - Parts are read through dynamic members, both stored and computed properties. A part that is `Equatable` notifies
///   its readers when its value changes; any other part notifies them on every delivery.
/// - `observable.address.city` reads the whole address, and its reader is notified of any change in the address; the
///   reader of `observable[\.address.city]` is notified of changes of the city only. A key path must be valid in every
///   state that is delivered while the key path is tracked.
/// - It is updated with the latest state on the main actor: after a `dispatchAndWait` on the main actor it is up to
///   date. Making an `ObservableStore` makes the pending deliveries to the main actor, as that call does.
/// - As everywhere in Observation, `onChange` is called before the change: read the new value later.
/// - It keeps no part of the tree alive. Once the store's owner is gone, it keeps the last state.
/// - Cost: two copies of the state during an update, else one; a comparison of each tracked part in each delivery.
@MainActor
@dynamicMemberLookup
public final class ObservableStore<State: Sendable, Action: Sendable>: Observable {
  private let store: Store<State, Action>
  private let registrar = ObservationRegistrar()
  private var subscription: StoreSubscription?
  private var current: State

  /// The parts that are tracked, and the parts that were read since the last delivery.
  private var parts: [PartialKeyPath<State>: Part] = [:]

  init(_ store: Store<State, Action>, state: State) {
    self.store = store
    current = state
    // The first delivery is made before this returns, when there are no readers to be notified of a change.
    subscription = store.observe(on: .main) { [weak self] (state: State) in self?.update(to: state) }
  }

  /// The whole state; notifies on every delivery.
  public var state: State { self[dynamicMember: \.self] }

  /// A part of the state; notifies when its value changes.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A part of the state that cannot be compared; notifies on every delivery.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A part of the state, at any depth; notifies when its value changes.
  public subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath) { old, new in old[keyPath: keyPath] != new[keyPath: keyPath] }
  }

  /// A part of the state, at any depth, that cannot be compared; notifies on every delivery.
  @_disfavoredOverload
  public subscript<Value>(keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath, hasChanged: nil)
  }

  /// Sends an action, like ``StoreProtocol/dispatch(_:)``.
  public func dispatch(_ action: Action) {
    store.dispatch(action)
  }

  /// Sends an action and returns after its step, when this object is up to date; like the same method of ``Store``.
  @available(*, noasync, message: "await the asynchronous form; at the top level of main.swift call it from a function")
  public func dispatchAndWait(_ action: Action) {
    store.dispatchAndWait(action)
  }

  /// Sends an action and resumes after its step, when this object is up to date; like the same method of ``Store``.
  public func dispatchAndWait(_ action: Action) async {
    await store.dispatchAndWait(action)
  }

  private func read<Value>(_ keyPath: KeyPath<State, Value>, hasChanged: Part.Comparison?) -> Value {
    let part = parts[keyPath] ?? Part(\.[part: keyPath])
    // Generic code may have read the part before without knowing how to compare it.
    if part.hasChanged == nil { part.hasChanged = hasChanged }
    parts[keyPath] = part
    registrar.access(self, keyPath: part.key)
    return current[keyPath: keyPath]
  }

  private func update(to state: State) {
    for (keyPath, part) in parts where !part.isTracked { parts[keyPath] = nil }
    let old = current
    let changed = parts.values.filter { $0.hasChanged?(old, state) ?? true }
    for part in changed { registrar.willSet(self, keyPath: part.key) }
    current = state
    for part in changed { registrar.didSet(self, keyPath: part.key) }
  }

  /// The property that represents a part in the registrar.
  private nonisolated subscript(part keyPath: PartialKeyPath<State>) -> Void { () }

  /// A part of the state that was read.
  private final class Part {
    typealias Comparison = (_ old: State, _ new: State) -> Bool

    /// The part's key path for the registrar.
    private(set) var key: KeyPath<ObservableStore, Void>

    /// Returns `true` if the value of the part differs between two states; nil if the value cannot be compared.
    var hasChanged: Comparison?

    init(_ key: KeyPath<ObservableStore, Void>) {
      self.key = key
    }

    /// `true` if a reader waits for a change: the registrar then retains this very key.
    var isTracked: Bool { !isKnownUniquelyReferenced(&key) }
  }
}

extension StoreProtocol {
  /// The state as an observable object on the main actor; nil once the owner is gone or while the scope is nil.
  @MainActor
  public func observable() -> ObservableStore<State, Action>? {
    let store = asStore
    return store.state.map { ObservableStore(store, state: $0) }
  }
}
