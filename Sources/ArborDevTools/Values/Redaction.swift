internal import Arbor

/// A rule that puts another value in the place of one in a recording, so that its file can be loaded.
///
/// ```swift
/// let recorder = Recorder<AppState, AppAction>(redacting: [
///   .value(\.user.password, replacedBy: ""),
///   .action { if case .signIn(let name, _) = $0 { $0 = .signIn(name: name, password: "") } },
/// ])
/// ```
///
/// - A secret needs no rule: give it a type that is `Confidential`, and no tool shows it. A rule is for recordings alone.
/// - Rules are said once, to the ``Recorder``, or to the ``Recording/redactions`` of a recording. An output takes more of
///   them, which are applied after those.
public struct Redaction<State, Action>: Sendable {
  let add: @Sendable (inout RedactionRules<State, Action>) -> Void

  /// Replaces a value in each state of the root store.
  ///
  /// - Only what the path leads to is replaced, not what else has a copy of it.
  /// - Parameters:
  ///   - path: The path of the value. No path leads into an optional: the whole optional is replaced.
  ///   - value: The value in its place, which is recorded as if it were the value.
  public static func value<Value: Sendable>(
    _ path: any WritableKeyPath<State, Value> & Sendable,
    replacedBy value: Value
  ) -> Redaction {
    Redaction { rules in rules.states.append { $0[keyPath: path] = value } }
  }

  /// Changes each action of the root store before it is shown.
  ///
  /// - A store below one that was scoped with actions of its own has actions of another type, which the rule cannot
  ///   change. Where it changes the root's action that such an action has led to, the other one is redacted whole, and so
  ///   is its text. It is also where the root has reduced no action, or another one in its place: then nothing tells what
  ///   the rule would change.
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

  /// A state of the root store without the values that are replaced. Confidential values are left out where it becomes a tree or a text.
  package func redacted(state: State) -> State {
    states.reduce(into: state) { $1(&$0) }
  }

  /// An action of the root store, replaced.
  package func redacted(action: Action) -> Action {
    actions.reduce(into: action) { $1(&$0) }
  }

  /// `true` if the rules for actions may mean a part of an action of another type, which they cannot change: because they
  /// change the action that the root has reduced for it, or because there is none that would tell.
  func hideWhole(actionThatLedTo rootAction: Action?) -> Bool {
    guard !actions.isEmpty else { return false }
    guard let rootAction else { return true }
    let pair = [rootAction, redacted(action: rootAction)]
    let parts = pair.map { RecordedValue(reflecting: $0) }
    guard parts[0] == parts[1], !parts[0].hasGaps else { return true }
    // Where an action has a mirror of its own, this may show less than its coding does.
    let encoded = pair.map { action in (action as? any Encodable).flatMap { try? RecordedValue(encoding: $0) } }
    return encoded[0] != encoded[1]
  }

  /// `true` if nothing is redacted.
  package var isEmpty: Bool { states.isEmpty && actions.isEmpty }

  // MARK: Trees and texts of any values: those of the root store are redacted first

  /// Encodes a value, without confidential ones.
  ///
  /// - Parameter includesPast: `true` if each `History` is encoded with its past and its future. Only confidential
  ///   values are left out of these: a rule for a path or for an action does not reach them.
  package func encoding(
    _ value: some Encodable,
    depth: Int = 1000,
    includingPast includesPast: Bool = false
  ) throws -> RecordedValue {
    try RecordedValue.encoding(
      value,
      depth: depth,
      userInfo: includesPast ? [:] : [.omitsPast: true]
    )
  }

  /// The tree of what a value is made of, without confidential ones.
  package func reflecting(_ value: Any, limits: RecordedValueLimits = RecordedValueLimits()) -> RecordedValue {
    RecordedValue(reflecting: value, limits: limits)
  }

  /// A line about a value, without confidential ones, of so many characters at most: `add(id: 3)`.
  package func text(of value: Any, characters: Int = 500) -> String {
    let text = LineText.of(value)
    let line = LineText.escaping(text.hasPrefix(".") ? String(text.dropFirst()) : text)
    guard line.count > characters else { return line }
    return line.prefix(characters - 1) + "…"
  }
}
