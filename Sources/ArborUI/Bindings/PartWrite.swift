internal import Arbor

/// A part of the state that a binding reads, and the action that a write sends.
///
/// - It is the argument of a subscript, and so part of the binding's key path: a binding is equal to another one of the
///   same store if they write alike, and a view is not redrawn for a binding that equals the one it has.
struct PartWrite<State: Sendable, Action: Sendable, Value: Equatable & Sendable> {
  let part: KeyPath<State, Value>
  let action: @Sendable (_ value: Value) -> Action

  /// The part when the binding was made: by what two functions make of it, they are told apart.
  let sample: Value
}

extension PartWrite: Hashable {
  /// `true` if both write the same part by equal actions; always `false` if actions cannot be compared.
  static func == (left: PartWrite, right: PartWrite) -> Bool {
    left.part == right.part && areEqual(left.action(left.sample), right.action(left.sample))
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
  }
}

/// Returns `true` if two values of one type are equal; `false` if they cannot be compared.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  func isEqual<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
  guard let left = left as? any Equatable else { return false }
  return isEqual(left)
}

extension ScreenStore {
  /// The part of a write. Setting it sends the write's action.
  subscript<Value: Equatable & Sendable>(write: PartWrite<State, Action, Value>) -> Value {
    get { self[write.part] }
    set { self.write(newValue, to: write.part, write.action(newValue)) }
  }
}
