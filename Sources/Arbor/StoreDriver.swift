public import Dispatch

/// Whatever holds a store and acts for it: a view model, a service, a part of a program with methods of its own.
///
/// ```swift
/// @MainActor final class CounterModel: StoreDriver {
///   let store: Store<Counter, Mutation<Counter>>
///
///   init(store: Store<Counter, Mutation<Counter>>) { self.store = store }
///
///   func increment() { commit { $0.count += 1 } }
/// }
/// ```
///
/// - A class or a struct, sendable or not, on any actor: it says which store it drives, and can be watched and acted on as
///   that can. On an actor, a `store` that is computed is to be `nonisolated`.
/// - What a driver's methods do is done by its store, with all that the store guarantees; all else is asked of ``store``.
public protocol StoreDriver<State, Action>: StateSource {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action: Sendable

  /// The store that is driven. The same at any time: whose observers are subscribed to it again is told by it.
  var store: Store<State, Action> { get }
}

extension StoreDriver {
  /// How the store's states are reached.
  public var feed: StateFeed<State> { store.feed }

  /// The store's state, as ``Store/state``.
  public var state: State? { store.state }

  /// Sends an action, as ``Store/dispatch(_:)``.
  @inlinable
  public func dispatch(_ action: Action) {
    store.dispatch(action)
  }

  /// A value that follows the state, as ``Store/derived(_:)``; nil once the owner is gone.
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value>? {
    store.derived(project)
  }

  /// A part of the state that follows it, as ``Store/derived(_:)``; nil once the owner is gone.
  public func derived<Value: Equatable & Sendable>(_ path: any KeyPath<State, Value> & Sendable) -> Derived<Value>? {
    store.derived(path)
  }

  /// Starts a task that belongs to the store, as ``Store/task(key:mode:priority:operation:)``.
  @discardableResult
  public func task<Value: Sendable>(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Value
  ) -> StoreTask<Value> {
    store.task(key: key, mode: mode, priority: priority, operation: operation)
  }

  /// Tells those of an event who listen at the store and above, as ``Store/emit(_:)``.
  public func emit(_ activity: some Sendable) {
    store.emit(activity)
  }

  /// Listens for activities of a type, as ``Store/observe(activities:on:_:)``.
  public func observe<Activity: Sendable>(
    activities type: Activity.Type,
    on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (_ activity: Activity) -> Void
  ) -> StoreSubscription {
    store.observe(activities: type, on: queue, body)
  }
}

extension StoreDriver where Action == Mutation<State> {
  /// Changes the state in a closure and waits for its step, as ``Store/commit(named:fileID:line:_:)``.
  @inlinable
  @discardableResult
  public func commit<Result, Failure: Error>(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try store.commit(named: name, fileID: fileID, line: line, body)
  }

  /// Changes the state in a closure, behind what is waiting, as ``Store/commitLater(named:fileID:line:_:)``.
  @inlinable
  public func commitLater(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (_ state: inout State) -> Void
  ) {
    store.commitLater(named: name, fileID: fileID, line: line, body)
  }
}
