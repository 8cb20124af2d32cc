internal import Arbor

/// A rule that replaces values in a recording with others, so that its file can still be loaded.
///
/// ```swift
/// let recorder = Recorder<AppState, AppAction>(redacting: [
///   .value(\.user.password, replacedBy: ""),
///   .action { if case .signIn(let name, _) = $0 { $0 = .signIn(name: name, password: "") } },
/// ])
/// ```
///
/// - A secret needs no rule: if its type is `Confidential`, no tool shows it. A rule only affects recordings.
/// - Pass the rules once, to the ``Recorder`` or as the ``Recording/redactions`` of a recording. An output takes
///   additional rules, which are applied after those.
public struct Redaction<State, Action>: Sendable {
  let add: @Sendable (inout RedactionRules<State, Action>) -> Void

  /// Replaces a value in each state of the root store.
  ///
  /// - Only the value at the path is replaced. Copies of it in other places stay.
  /// - Parameters:
  ///   - path: The path of the value. A path can't lead into an optional: the whole optional is replaced.
  ///   - value: The value to record instead.
  public static func value<Value: Sendable>(
    _ path: any WritableKeyPath<State, Value> & Sendable,
    replacedBy value: Value
  ) -> Redaction {
    Redaction { rules in rules.states.append { $0[keyPath: path] = value } }
  }

  /// Changes each action of the root store before it is shown.
  ///
  /// - A store that was scoped with its own actions has actions of another type, which the rule can't change. Such an
  ///   action is redacted completely, with its text, in these cases:
  ///   - The rule changes the root's action that the action led to.
  ///   - The root reduced no action for it, or a replacement, so the effect of the rule can't be known.
  /// - Parameter replace: Called with a copy of an action, which it changes to the action that is shown.
  public static func action(_ replace: @escaping @Sendable (inout Action) -> Void) -> Redaction {
    Redaction { rules in rules.actions.append(replace) }
  }
}

/// The rules of a list of redactions, ready to be applied.
package struct RedactionRules<State, Action>: Sendable {
  var states: [@Sendable (inout State) -> Void] = []
  var actions: [@Sendable (inout Action) -> Void] = []

  package init(_ redactions: [Redaction<State, Action>] = []) {
    for redaction in redactions { redaction.add(&self) }
  }

  /// Returns a state of the root store with the replaced values. Confidential values are left out later, when the state
  /// becomes a tree or a text.
  package func redacted(state: State) -> State {
    states.reduce(into: state) { $1(&$0) }
  }

  /// Returns an action of the root store after all replacements.
  package func redacted(action: Action) -> Action {
    actions.reduce(into: action) { $1(&$0) }
  }

  /// Returns `true` if the rules for actions may concern an action of another type, which they can't change.
  ///
  /// That is the case if they change the root's action that this action led to, or if there is none to check.
  func hideWhole(actionThatLedTo rootAction: Action?) -> Bool {
    guard !actions.isEmpty else { return false }
    guard let rootAction else { return true }
    let pair = [rootAction, redacted(action: rootAction)]
    let parts = pair.map { RecordedValue(reflecting: $0) }
    guard parts[0] == parts[1], !parts[0].hasGaps else { return true }
    // If an action has a custom mirror, the mirror may show less than its encoding.
    let encoded = pair.map { action in (action as? any Encodable).flatMap { try? RecordedValue(encoding: $0) } }
    return encoded[0] != encoded[1]
  }

  /// `true` if there are no rules.
  package var isEmpty: Bool { states.isEmpty && actions.isEmpty }

  // MARK: Trees and texts of values, after redaction

  /// Encodes a value without the confidential values in it.
  ///
  /// - Parameter includesPast: `true` if each `History` is encoded with its past and its future. In these, only
  ///   confidential values are left out: rules for paths and actions don't apply to them.
  package func encoding(
    _ value: some Encodable,
    depth: Int = 1000,
    includingPast includesPast: Bool = false
  ) throws -> RecordedValue {
    try RecordedValue.encoding(
      value,
      depth: depth,
      userInfo: [.isRecording: true, .omitsPast: !includesPast]
    )
  }

  /// Returns the tree of a value's parts, without confidential ones.
  package func reflecting(_ value: Any, limits: RecordedValueLimits = RecordedValueLimits()) -> RecordedValue {
    RecordedValue(reflecting: value, limits: limits)
  }

  /// Returns one line about a value, without confidential ones, of at most the given number of characters: `add(id: 3)`.
  package func text(of value: Any, characters: Int = 500) -> String {
    let text = LineText.of(value)
    let line = LineText.escaping(text.hasPrefix(".") ? String(text.dropFirst()) : text)
    guard line.count > characters else { return line }
    return line.prefix(characters - 1) + "…"
  }
}
