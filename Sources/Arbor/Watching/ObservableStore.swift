public import Observation

/// A store's state for the main actor, as SwiftUI and `withObservationTracking` want it: who reads a part is told when
/// that part changes, and of nothing else.
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
/// - Parts are read through dynamic members, stored and computed ones alike. One that is `Equatable` is told of when
///   its value is another one; any other with each delivery.
/// - `observable.address.city` reads the whole address, and is told of any change in it; `observable[\.address.city]`
///   is told of the city alone. A key path must be valid in every state that comes while it is tracked.
/// - It follows the latest state on the main actor: after a `dispatchAndWait` on the main actor it is up to date.
///   Making one delivers what waits for the main actor, as that call does.
/// - As everywhere in Observation, `onChange` is called before the change: read what is new after it.
/// - It keeps no part of the tree alive. Once the store's owner is gone it keeps the last state.
/// - Cost: the state twice while it is updated, else once; a comparison of each part that is tracked, in each delivery.
@MainActor
@dynamicMemberLookup
public final class ObservableStore<State: Sendable, Action: Sendable>: Observable {
  private let store: Store<State, Action>
  private let registrar = ObservationRegistrar()
  private var subscription: StoreSubscription?
  private var current: State

  /// The parts that are tracked, and those that were read since the last delivery.
  private var parts: [PartialKeyPath<State>: Part] = [:]

  init(_ store: Store<State, Action>, state: State) {
    self.store = store
    current = state
    subscription = store.observe(on: .main) { [weak self] (state: State) in self?.update(to: state) }
    // The first delivery is made here, where nobody takes it for a step.
    guard let address = store.address else { return }
    _ = address.wait(for: "observable") { _ in }
    store.deliverMainNow()
  }

  /// The whole state; told of with each delivery.
  public var state: State { self[dynamicMember: \.self] }

  /// A part of the state; told of when its value is another one.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A part of the state that cannot be compared; told of with each delivery.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A part of the state, at any depth; told of when its value is another one.
  public subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath) { old, new in old[keyPath: keyPath] != new[keyPath: keyPath] }
  }

  /// A part of the state, at any depth, that cannot be compared; told of with each delivery.
  @_disfavoredOverload
  public subscript<Value>(keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath, hasChanged: nil)
  }

  /// Sends an action, as ``StoreProtocol/dispatch(_:)``.
  public func dispatch(_ action: Action) {
    store.dispatch(action)
  }

  /// Sends an action and returns after its step, the state here being up to date; as the same method of ``Store``.
  @available(*, noasync, message: "await the asynchronous form; at the top level of main.swift call it from a function")
  public func dispatchAndWait(_ action: Action) {
    store.dispatchAndWait(action)
  }

  /// Sends an action and resumes after its step, the state here being up to date; as the same method of ``Store``.
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

  /// The property that stands for a part in the registrar.
  private nonisolated subscript(part keyPath: PartialKeyPath<State>) -> Void { () }

  /// A part of the state that was read.
  private final class Part {
    typealias Comparison = (_ old: State, _ new: State) -> Bool

    /// The part's key path for the registrar.
    private(set) var key: KeyPath<ObservableStore, Void>

    /// How to tell that its value is another one; nil if it cannot be compared.
    var hasChanged: Comparison?

    init(_ key: KeyPath<ObservableStore, Void>) {
      self.key = key
    }

    /// `true` if anybody waits for a change: who does holds this very key.
    var isTracked: Bool { !isKnownUniquelyReferenced(&key) }
  }
}

extension StoreProtocol {
  /// The state for the main actor; nil once the owner is gone, or while the scope is nil.
  @MainActor
  public func observable() -> ObservableStore<State, Action>? {
    let store = asStore
    return store.state.map { ObservableStore(store, state: $0) }
  }
}
