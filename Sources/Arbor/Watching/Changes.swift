/// A state together with the one that the same subscriber was given before.
///
/// ```swift
/// store.observe { changes in
///   changes.ifChanged(\.count) { count in render(count) }
/// }
/// ```
///
/// - The first delivery counts as changed everywhere.
/// - Properties of the current state are read directly: `changes.count` is `changes.current.count`.
/// - Cost: whoever takes changes keeps the previous state between two deliveries. A reducer that changes a collection of
///   that state then copies it once, as of any value of which a copy is kept. A closure that takes the state keeps none.
@dynamicMemberLookup
public struct Changes<State: Sendable>: Sendable {
  /// The state now.
  public let current: State

  /// The state that this subscriber was given before; nil the first time.
  public let previous: State?

  /// Makes changes by hand, for tests of what takes them.
  public init(current: State, previous: State?) {
    self.current = current
    self.previous = previous
  }

  /// A property of the current state.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    current[keyPath: keyPath]
  }

  /// `true` if the value at any of the key paths is another one than before.
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

  /// `true` if what a closure makes of the state is something else than before.
  public func hasChanges<Value: Equatable>(_ value: (_ state: State) -> Value) -> Bool {
    guard let previous else { return true }
    return value(current) != value(previous)
  }

  /// `true` if the state is another one than before.
  public func hasChanges() -> Bool where State: Equatable {
    previous != current
  }

  /// Calls a body with the values at the key paths if any of them is another one than before.
  public func ifChanged<First: Equatable, each Value: Equatable>(
    _ first: KeyPath<State, First>,
    _ keyPath: repeat KeyPath<State, each Value>,
    perform body: (First, repeat each Value) throws -> Void
  ) rethrows {
    guard hasChanges(first, repeat each keyPath) else { return }
    try body(current[keyPath: first], repeat current[keyPath: each keyPath])
  }

  /// Calls a body with what a closure makes of the state if that is something else than before.
  public func ifChanged<Value: Equatable>(
    _ value: (_ state: State) -> Value,
    perform body: (Value) throws -> Void
  ) rethrows {
    let new = value(current)
    if let previous, value(previous) == new { return }
    try body(new)
  }

  /// Calls a body with the state if it is another one than before.
  public func ifChanged(perform body: (State) throws -> Void) rethrows where State: Equatable {
    if hasChanges() { try body(current) }
  }
}
