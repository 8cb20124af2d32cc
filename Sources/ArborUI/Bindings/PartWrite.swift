internal import Arbor

/// A part of the state that a binding reads, and the action that a write sends.
///
/// - It is the argument of a subscript, so it is part of the binding's key path. SwiftUI does not redraw a view when
///   the new binding equals the old one.
struct PartWrite<State: Sendable, Action: Sendable, Value: Equatable & Sendable> {
  let part: KeyPath<State, Value>
  let action: @Sendable (_ value: Value) -> Action
  private let makeAction: () -> (@Sendable (_ value: Value) -> Action)
  private let identity: FunctionIdentity

  init(to part: KeyPath<State, Value>, _ makeAction: @escaping () -> (@Sendable (_ value: Value) -> Action)) {
    self.part = part
    self.makeAction = makeAction
    action = makeAction()
    identity = FunctionIdentity(of: makeAction)
  }
}

extension PartWrite: Hashable {
  /// `true` if both write the same part by the same function.
  static func == (left: PartWrite, right: PartWrite) -> Bool {
    left.part == right.part && left.identity == right.identity
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(identity)
  }
}

extension ScreenStore {
  /// The written part. Setting it sends the write's action.
  subscript<Value: Equatable & Sendable>(write: PartWrite<State, Action, Value>) -> Value {
    get { self[write.part] }
    set { self.write(newValue, to: write.part, write.action(newValue)) }
  }
}
