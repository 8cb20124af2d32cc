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
