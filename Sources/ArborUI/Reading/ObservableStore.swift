public import Arbor
public import Observation

/// A store's state on the main actor, for SwiftUI and `withObservationTracking`, which notifies readers of a part only
/// when that part changes.
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
///   reader of `observable[\.address.city]` is notified of changes to the city only. A key path must be valid in every
///   state that is delivered while the key path is tracked.
/// - It is updated with the latest state on the main actor: after a `dispatchAndWait` on the main actor it is up to
///   date. Creating it waits as ``/Arbor/StoreProtocol/state`` does, and notifies no reader: you can create it while a
///   view is updated.
/// - As everywhere in Observation, `onChange` is called before the change: read the new value later.
/// - It keeps no part of the tree alive. Once the store's owner is gone, or the scope is nil, it keeps the last state.
/// - Cost: one copy of the state, two during an update, and a comparison of each tracked part per delivery.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
@dynamicMemberLookup
public final class ObservableStore<State: Sendable, Action: Sendable>: Observable, TrackedObject {
  /// The store that receives the actions: the store of the state, or a store that ignores them if the state never
  /// changes or is derived.
  public nonisolated let store: Store<State, Action>

  var kept: AnyObject?
  weak var keeper: TrackedObjects?

  /// The objects made from this one for screens.
  private let made = SharedObjects<AnyHashable>()

  /// The tracked objects made from this one, directly or not. Unused if this one was made from another.
  private lazy var trackedObjects = TrackedObjects()

  private let registrar = ObservationRegistrar()
  private var subscription: StoreSubscription?
  private var current: State

  /// The moment that the current state shows; nil for the present.
  private var moment: ShownMoment?

  /// The parts that are tracked, and the parts that were read since the last delivery.
  private var parts: [PartialKeyPath<State>: Part] = [:]

  /// Makes an observable store whose state only ``update(to:showing:)`` changes.
  ///
  /// - Parameter moment: The moment that the state shows; nil for the present.
  init(_ store: Store<State, Action>, state: State, showing moment: ShownMoment? = nil) {
    self.store = store
    current = state
    self.moment = moment
  }

  /// Makes an observable store that follows a source.
  ///
  /// - Parameter state: A state of the source, from before this call.
  init(_ store: Store<State, Action>, following source: AnyStateSource<State>, from state: State) {
    self.store = store
    current = state
    let followed = source.followOnMain { [weak self] state, moment in self?.update(to: state, showing: moment) }
    subscription = followed.subscription
    if let latest = followed.latest { (current, moment) = latest }
  }

  /// Makes an observable store that follows a store, which may have no state.
  ///
  /// - Parameter state: The state until the store has one.
  convenience init(_ store: Store<State, Action>, from state: State) {
    self.init(store, following: store.asStateSource, from: state)
  }

  /// Returns an observable store whose state never changes, for previews and tests of views.
  ///
  /// - Actions are ignored.
  /// - Parameter state: The state of the store.
  public static func constant(_ state: State) -> ObservableStore {
    ObservableStore(Store(dispatch: { _ in }, subscribe: { $0.send(state) }), state: state)
  }

  /// The whole state; notifies on every delivery.
  public var state: State { self[dynamicMember: \.self] }

  /// A part of the state; notifies when its value changes.
  ///
  /// - Parameter keyPath: The key path of the part.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A part of the state that cannot be compared; notifies on every delivery.
  ///
  /// - Parameter keyPath: The key path of the part.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A part of the state, at any depth; notifies when its value changes.
  ///
  /// - Parameter keyPath: The key path of the part.
  public subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath) { old, new in old[keyPath: keyPath] != new[keyPath: keyPath] }
  }

  /// A part of the state, at any depth, that cannot be compared; notifies on every delivery.
  ///
  /// - Parameter keyPath: The key path of the part.
  @_disfavoredOverload
  public subscript<Value>(keyPath: KeyPath<State, Value>) -> Value {
    read(keyPath, hasChanged: nil)
  }

  /// Sends an action and returns immediately, like ``/Arbor/StoreProtocol/dispatch(_:)``.
  ///
  /// - Parameter action: The action to send.
  public func dispatch(_ action: Action) {
    store.dispatch(action)
  }

  /// Sends an action and returns after its step, when this object is up to date, like the method of the same name in
  /// ``/Arbor/Store``.
  ///
  /// - Parameter action: The action to send.
  @available(*, noasync, message: "call it with 'await' in a function, not at the top level of main.swift")
  public func dispatchAndWait(_ action: Action) {
    store.dispatchAndWait(action)
  }

  /// Sends an action and resumes after its step, when this object is up to date, like the method of the same name in
  /// ``/Arbor/Store``.
  ///
  /// - Parameter action: The action to send.
  public func dispatchAndWait(_ action: Action) async {
    await store.dispatchAndWait(action)
  }

  private func read<Value>(_ keyPath: KeyPath<State, Value>, hasChanged: Part.Comparison?) -> Value {
    let part = parts[keyPath] ?? Part(\.[part: keyPath])
    // Generic code may have read the part before without knowing how to compare it.
    if part.hasChanged == nil { part.hasChanged = hasChanged }
    parts[keyPath] = part
    registrar.access(self, keyPath: part.key)
    TrackedReads.note(moment)
    if let keeper, part.isTracked { keeper.keep(self) }
    return current[keyPath: keyPath]
  }

  /// Returns the object with a name, which all callers share. If there is none, or no name, it creates the object.
  ///
  /// - The object lives as long as a caller keeps it, or a reader waits for it to change.
  func shared<Object: TrackedObject>(_ name: AnyHashable?, _ make: () -> Object) -> Object {
    made.object(name) {
      let object = make()
      object.keeper = keeper ?? trackedObjects
      // The first object keeps those made from it by `trackedObjects`, so they must not keep it.
      if keeper != nil { object.kept = self }
      return object
    }
  }

  /// Sends the action that writes a part, and returns after its step, when this object is up to date.
  ///
  /// - If the part then has a value other than the written one, its readers are notified anyway, so that a control that
  ///   shows the written value shows the part again.
  /// - Does nothing while the scope is nil or once the owner is gone. In a callback of a tree, it does not wait.
  /// - Parameters:
  ///   - value: The written value.
  ///   - part: The key path of the part.
  ///   - action: The action to send, which should set the part to the value.
  public func write<Value: Equatable>(_ value: Value, to part: KeyPath<State, Value>, _ action: Action) {
    send(action)
    guard current[keyPath: part] != value, let part = parts[part] else { return }
    registrar.withMutation(of: self, keyPath: part.key) {}
  }

  /// Sends an action and returns after its step, when this object is up to date.
  ///
  /// - Does nothing while the scope is nil or once the owner is gone: the last content of a screen takes no actions.
  /// - In a callback of a tree, it does not wait.
  /// - Parameter action: The action to send.
  public func send(_ action: Action) {
    store.sendIfPresent(action)
  }

  /// A part of the state, which is not tracked.
  ///
  /// - Parameter keyPath: The key path of the part.
  public subscript<Value>(untracked keyPath: KeyPath<State, Value>) -> Value { current[keyPath: keyPath] }

  /// Replaces the state, and notifies the readers of the parts that differ.
  ///
  /// - Parameters:
  ///   - state: The new state.
  ///   - moment: The moment that the state shows; nil for the present.
  func update(to state: State, showing moment: ShownMoment? = nil) {
    for (keyPath, part) in parts where !part.isTracked { parts[keyPath] = nil }
    self.moment = moment
    let old = current
    let changed = parts.values.filter { $0.hasChanged?(old, state) ?? true }
    for part in changed { registrar.willSet(self, keyPath: part.key) }
    current = state
    for part in changed { registrar.didSet(self, keyPath: part.key) }
    keeper?.noticeDelivery(to: self)
    // Not during the write to the variable: releasing the old value may run user code, which may read it.
    withExtendedLifetime(old) {}
  }

  var isTracked: Bool { parts.values.contains { $0.isTracked } }

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

    /// `true` if a reader waits for a change: the registrar then retains this exact key.
    var isTracked: Bool { !isKnownUniquelyReferenced(&key) }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore where State: Equatable {
  /// The whole state; notifies when it changes.
  public var state: State { self[\.self] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension StoreProtocol {
  /// Returns the state as an observable object on the main actor; nil once the owner is gone or while the scope is nil.
  @MainActor
  public func observable() -> ObservableStore<State, Action>? {
    let store = asStore
    return store.state.map { ObservableStore(store, following: store.asStateSource, from: $0) }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension StoreOwner {
  /// Returns the root's state as an observable object on the main actor, like ``Arbor/StoreProtocol/observable()``.
  @MainActor
  public func observable() -> ObservableStore<State, Action> {
    asStore.observable()!
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Derived {
  /// Returns an observable object on the main actor whose state is the derived value, for views and
  /// `withObservationTracking`.
  ///
  /// - The object keeps the derived value alive.
  @MainActor
  public func observable() -> ObservableStore<Value, Never> {
    let store = Store<Value, Never>(dispatch: { _ in }, subscribe: { [self] in $0.send(value) })
    return ObservableStore(store, following: asStateSource, from: value)
  }
}
