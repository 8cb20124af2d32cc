/// A state together with the previous state that the same subscriber received.
///
/// ```swift
/// store.observe { changes in
///   changes.ifChanged(\.count) { count in render(count) }
/// }
/// ```
///
/// - In the first delivery, every part counts as changed. If `initial: false` skips the first state, it counts as
///   delivered.
/// - You can read properties of the current state directly: `changes.count` is `changes.current.count`.
/// - Cost: a subscriber whose closure takes `Changes` keeps the previous state between two deliveries. If a reducer
///   then changes a collection in the state, the collection is copied once, as always when something else keeps a copy
///   of it. A subscriber whose closure takes the state itself doesn't keep a state.
@dynamicMemberLookup
public struct Changes<State: Sendable>: Sendable {
  /// The current state.
  public let current: State

  /// The previous state that the subscriber received; nil in the first delivery, unless `initial: false` skipped a
  /// state.
  public let previous: State?

  /// Makes changes from two states, for tests of code that takes changes.
  ///
  /// - Parameters:
  ///   - current: The current state.
  ///   - previous: The previous state; nil for the changes of a first delivery.
  public init(current: State, previous: State?) {
    self.current = current
    self.previous = previous
  }

  /// Reads a property of the current state.
  ///
  /// - Parameter keyPath: The key path of the property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    current[keyPath: keyPath]
  }

  /// Returns `true` if a value computed from the state differs from the previous one.
  ///
  /// - You can pass a key path literal: `hasChanges(\.count)`; `\.self` is the state itself.
  /// - You can compare several values at once: with a tuple, the result is `true` if any of them differs.
  /// - Parameter values: Computes the value, or a tuple of values, from a state: `hasChanges { ($0.name, $0.age) }`.
  ///   Called with both states, or not at all if there is no previous one.
  public func hasChanges<each Value: Equatable>(_ values: (_ state: State) -> (repeat each Value)) -> Bool {
    guard let previous else { return true }
    return !areEqual(repeat each values(previous), to: repeat each values(current))
  }

  /// Calls a body with values computed from the state, if any of them differs from the previous one.
  ///
  /// ```swift
  /// changes.ifChanged({ ($0.name, $0.items.count) }, perform: show)
  /// ```
  ///
  /// - You can pass a key path literal: `ifChanged(\.count) { count in … }`; `\.self` is the state itself.
  /// - Parameters:
  ///   - values: Computes a value, or a tuple of values, from a state. Not called with the previous state if there is
  ///     none.
  ///   - body: Receives the current values, in order.
  public func ifChanged<each Value: Equatable>(
    _ values: (_ state: State) -> (repeat each Value),
    perform body: (repeat each Value) throws -> Void
  ) rethrows {
    let new = values(current)
    if let previous, areEqual(repeat each values(previous), to: repeat each new) { return }
    try body(repeat each new)
  }

  /// Calls a body with a value computed from the state, if a comparison finds it different from the previous one.
  ///
  /// ```swift
  /// changes.ifChanged(\.todos, comparing: .by(\.count)) { todos in … }
  /// ```
  ///
  /// - Use it for values that aren't `Equatable`, or if only a part of them matters.
  /// - Parameters:
  ///   - value: Computes the value from a state. You can pass a key path literal.
  ///   - comparison: The comparison. If it finds the value equal to the previous one, the body isn't called.
  ///   - body: Receives the current value.
  public func ifChanged<Value: Sendable>(
    _ value: (_ state: State) -> Value,
    comparing comparison: Equating<Value>,
    perform body: (Value) throws -> Void
  ) rethrows {
    let new = value(current)
    if let previous, comparison.areEqual(value(previous), new) { return }
    try body(new)
  }
}
