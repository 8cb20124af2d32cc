#if canImport(Combine)
  public import Arbor
  public import Combine
  #if canImport(SwiftUI)
    public import SwiftUI
  #endif

  /// A store's state on the main actor as an `ObservableObject`, for systems without Observation: macOS 13, iOS 16.
  ///
  /// ```swift
  /// struct CounterView: View {
  ///   @ObservedObject var reader: StoreReader<AppState, AppAction>
  ///   var body: some View { Text("\(reader.count)") }
  /// }
  /// ```
  ///
  /// - It publishes when a part that was read through it changes, just before the part has its new value. A part that
  ///   is `Equatable` is compared; any other part counts as changed in every delivery.
  /// - A part that was read once is compared in every later delivery, so read only the parts that the view shows, not
  ///   the whole state.
  /// - It is updated with the latest state on the main actor: after a `dispatchAndWait` on the main actor it is up to
  ///   date. Creating it waits as `state` does, and publishes nothing: you can create it while a view is updated.
  /// - It keeps no part of the tree alive. Once the store's owner is gone, or the scope is nil, it keeps the last
  ///   state.
  /// - On systems with Observation, prefer an ``ObservableStore``: it needs no property wrapper, and each view is
  ///   redrawn only for the parts it has read.
  @MainActor
  @dynamicMemberLookup
  public final class StoreReader<State: Sendable, Action: Sendable>: ObservableObject, ScreenStore {
    /// A publisher that sends a value just before a part that was read changes.
    public nonisolated var objectWillChange: ObservableObjectPublisher { willChange.publisher }

    private nonisolated let willChange = WillChange()

    /// The store whose state this object reads.
    public nonisolated let store: Store<State, Action>

    /// The objects made from this one, shared by all callers.
    let shared = SharedObjects<AnyHashable>()

    private var subscription: StoreSubscription?
    private var current: State

    /// The parts that were read, each with a function that compares two states; nil if the part cannot be compared.
    private var parts: [PartialKeyPath<State>: ((_ old: State, _ new: State) -> Bool)?] = [:]

    /// The publisher, which its protocol requires on every thread.
    private struct WillChange: @unchecked Sendable {  // Publishers of Combine are used from any thread.
      let publisher = ObservableObjectPublisher()
    }

    init(_ store: Store<State, Action>, state: State) {
      self.store = store
      current = state
      let followed = store.asStateSource.followOnMain { [weak self] state, _ in self?.update(to: state) }
      subscription = followed.subscription
      if let latest = followed.latest { current = latest.state }
    }

    /// A part of the state; publishes when its value changes.
    ///
    /// - Parameter keyPath: The key path of the part.
    public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { self[keyPath] }

    /// A part of the state that cannot be compared; publishes on every delivery.
    ///
    /// - Parameter keyPath: The key path of the part.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { self[keyPath] }

    /// A part of the state, at any depth; publishes when its value changes.
    ///
    /// - Parameter keyPath: The key path of the part.
    public subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value {
      if (parts[keyPath] ?? nil) == nil {
        parts[keyPath] = { old, new in old[keyPath: keyPath] != new[keyPath: keyPath] }
      }
      return current[keyPath: keyPath]
    }

    /// A part of the state, at any depth, that cannot be compared; publishes on every delivery.
    ///
    /// - Parameter keyPath: The key path of the part.
    @_disfavoredOverload
    public subscript<Value>(keyPath: KeyPath<State, Value>) -> Value {
      if parts[keyPath] == nil { parts[keyPath] = .some(nil) }
      return current[keyPath: keyPath]
    }

    /// A part of the state, read without following it.
    ///
    /// - Parameter keyPath: The key path of the part.
    public subscript<Value>(untracked keyPath: KeyPath<State, Value>) -> Value { current[keyPath: keyPath] }

    /// Sends an action and returns immediately, like a store's method of the same name.
    ///
    /// - Parameter action: The action to send.
    public func dispatch(_ action: Action) {
      store.dispatch(action)
    }

    /// Sends an action and returns after its step, when this object is up to date.
    ///
    /// - Does nothing while the scope is nil or once the owner is gone. In a callback of a tree, it does not wait.
    /// - Parameter action: The action to send.
    public func send(_ action: Action) {
      store.sendIfPresent(action)
    }

    /// Sends the action that writes a part, and publishes if the part then differs from the written value.
    ///
    /// - Parameters:
    ///   - value: The written value.
    ///   - part: The key path of the part.
    ///   - action: The action to send.
    public func write<Value: Equatable>(_ value: Value, to part: KeyPath<State, Value>, _ action: Action) {
      send(action)
      if current[keyPath: part] != value { objectWillChange.send() }
    }

    #if canImport(SwiftUI)
      /// Returns a binding that reads and sets a property of this reader.
      ///
      /// - Parameter property: The key path of the property.
      public func binding<Value>(to property: ReferenceWritableKeyPath<StoreReader, Value>) -> Binding<Value> {
        ObservedObject(wrappedValue: self).projectedValue[dynamicMember: property]
      }
    #endif

    private func update(to state: State) {
      if parts.values.contains(where: { $0?(current, state) ?? true }) { objectWillChange.send() }
      let old = current
      current = state
      // Not during the write to the variable: releasing the old value may run user code, which may read it.
      withExtendedLifetime(old) {}
    }
  }

  extension StoreReader where Action == Mutation<State> {
    /// A part of the state; setting it commits the part and returns after that step.
    ///
    /// - Setting does nothing while the scope is nil or once the owner is gone. In a callback of a tree, it does not
    ///   wait.
    /// - Parameter keyPath: The key path of the part.
    public subscript<Value: Equatable & Sendable>(
      dynamicMember keyPath: any WritableKeyPath<State, Value> & Sendable
    ) -> Value {
      get { self[keyPath] }
      set { self[keyPath] = newValue }
    }

    /// A part of the state, at any depth; setting it commits only that part and returns after that step.
    ///
    /// - Parameter keyPath: The key path of the part.
    public subscript<Value: Equatable & Sendable>(
      keyPath: any WritableKeyPath<State, Value> & Sendable
    ) -> Value {
      get { self[keyPath as KeyPath<State, Value>] }
      set { write(newValue, to: keyPath, .setting(keyPath, to: newValue)) }
    }
  }

  extension StoreProtocol {
    /// Returns the state as an `ObservableObject` on the main actor; nil once the owner is gone or while the scope is
    /// nil.
    @MainActor
    public func reader() -> StoreReader<State, Action>? {
      let store = asStore
      return store.state.map { StoreReader(store, state: $0) }
    }
  }

  extension StoreOwner {
    /// Returns the root's state as an `ObservableObject` on the main actor.
    @MainActor
    public func reader() -> StoreReader<State, Action> {
      StoreReader(asStore, state: state)
    }
  }
#endif
