/// A state together with the previous state that the same subscriber received.
///
/// ```swift
/// store.observe { changes in
///   changes.ifChanged(\.count) { count in render(count) }
/// }
/// ```
///
/// - In the first delivery every part counts as changed. A first state that `initial: false` skips counts as delivered.
/// - Properties of the current state are read directly: `changes.count` is `changes.current.count`.
/// - Cost: a subscriber whose closure takes `Changes` keeps the previous state between two deliveries. A reducer that
///   changes a collection of that state then copies the collection once, as with any value of which a copy is kept. A
///   subscriber whose closure takes the state itself keeps no state.
@dynamicMemberLookup
public struct Changes<State: Sendable>: Sendable {
  /// The current state.
  public let current: State

  /// The previous state that the subscriber received; nil in the first delivery, unless `initial: false` skipped a
  /// state.
  public let previous: State?

  /// Makes changes from two states, for tests of code that takes changes.
  public init(current: State, previous: State?) {
    self.current = current
    self.previous = previous
  }

  /// A property of the current state.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    current[keyPath: keyPath]
  }

  /// `true` if the value at any of the key paths differs from the previous one.
  public func hasChanges<First: Equatable, each Value: Equatable>(
    _ first: KeyPath<State, First>,
    _ keyPath: repeat KeyPath<State, each Value>
  ) -> Bool {
    guard let previous else { return true }
    if current[keyPath: first] != previous[keyPath: first] { return true }
    for keyPath in repeat each keyPath {
      if current[keyPath: keyPath] != previous[keyPath: keyPath] { return true }
    }
    return false
  }

  /// `true` if the value that a closure computes from the state differs from the previous one.
  public func hasChanges<Value: Equatable>(_ value: (_ state: State) -> Value) -> Bool {
    guard let previous else { return true }
    return value(current) != value(previous)
  }

  /// `true` if the state differs from the previous one.
  public func hasChanges() -> Bool where State: Equatable {
    previous != current
  }

  /// Calls a body with the values at the key paths if any of the values differs from the previous one.
  public func ifChanged<First: Equatable, each Value: Equatable>(
    _ first: KeyPath<State, First>,
    _ keyPath: repeat KeyPath<State, each Value>,
    perform body: (First, repeat each Value) throws -> Void
  ) rethrows {
    guard hasChanges(first, repeat each keyPath) else { return }
    try body(current[keyPath: first], repeat current[keyPath: each keyPath])
  }

  /// Calls a body with the value that a closure computes from the state if the value differs from the previous one.
  public func ifChanged<Value: Equatable>(
    _ value: (_ state: State) -> Value,
    perform body: (Value) throws -> Void
  ) rethrows {
    let new = value(current)
    if let previous, value(previous) == new { return }
    try body(new)
  }

  /// Calls a body with the state if the state differs from the previous one.
  public func ifChanged(perform body: (State) throws -> Void) rethrows where State: Equatable {
    if hasChanges() { try body(current) }
  }
}
