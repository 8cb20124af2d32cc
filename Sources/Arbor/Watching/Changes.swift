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
  ///
  /// - Parameters:
  ///   - current: The current state.
  ///   - previous: The state before; nil for the changes of a first delivery.
  public init(current: State, previous: State?) {
    self.current = current
    self.previous = previous
  }

  /// A property of the current state.
  ///
  /// - Parameter keyPath: The key path of the property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    current[keyPath: keyPath]
  }

  /// `true` if the value that a closure computes from the state, or one of a tuple of values, differs from the previous
  /// one.
  ///
  /// - A key path literal converts: `hasChanges(\.count)`; `\.self` is the state itself.
  /// - Parameter values: Computes the value, or a tuple of values, from a state: `hasChanges { ($0.name, $0.age) }`.
  ///   Called with both states, or not at all if there is no previous one.
  public func hasChanges<each Value: Equatable>(_ values: (_ state: State) -> (repeat each Value)) -> Bool {
    guard let previous else { return true }
    return !areEqual(repeat each values(previous), to: repeat each values(current))
  }

  /// Calls a body with the value that a closure computes from the state, or with a tuple of values, if one of them
  /// differs from the previous one: `changes.ifChanged({ ($0.name, $0.items.count) }, perform: show)`.
  ///
  /// - A key path literal converts: `ifChanged(\.count) { count in … }`; `\.self` is the state itself.
  /// - Parameters:
  ///   - values: Computes the values from a state. Not called with the previous state if there is none.
  ///   - body: Receives the current values, in their order.
  public func ifChanged<each Value: Equatable>(
    _ values: (_ state: State) -> (repeat each Value),
    perform body: (repeat each Value) throws -> Void
  ) rethrows {
    let new = values(current)
    if let previous, areEqual(repeat each values(previous), to: repeat each new) { return }
    try body(repeat each new)
  }

  /// Calls a body with the value that a closure computes from the state if it differs, by a comparison, from the
  /// previous one: `changes.ifChanged(\.todos, comparing: .by(\.count)) { todos in … }`.
  ///
  /// - For values that are not `Equatable`, and for those of which only a part matters.
  /// - Parameters:
  ///   - value: Computes the value from a state; a key path literal converts.
  ///   - comparison: A comparison; the value differs if it is not equal, by this comparison, to the previous one.
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
