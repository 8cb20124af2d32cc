/// A rule for what a recording does not show, before anything of it leaves the process.
///
/// ```swift
/// let redactions: [Redaction<AppState, AppAction>] = [
///   .value(\.user.password, replacedBy: ""),
///   .type(AccessToken.self),
///   .action { if case .signIn(let name, _) = $0 { $0 = .signIn(name: name, password: "") } },
/// ]
/// ```
public struct Redaction<State, Action>: Sendable {
  let add: @Sendable (inout RedactionRules<State, Action>) -> Void

  /// Replaces a value in each state of the root store.
  ///
  /// - What replaces it is recorded as if it were the value. No path leads into an optional: the whole optional is replaced.
  /// - Only what the path leads to is replaced, not what else has a copy of it.
  public static func value<Value: Sendable>(
    _ path: any WritableKeyPath<State, Value> & Sendable,
    replacedBy value: Value
  ) -> Redaction {
    Redaction { rules in rules.states.append { $0[keyPath: path] = value } }
  }

  /// Redacts every value of a type, at any depth, in states and in actions, of the root store and of all others.
  ///
  /// - In trees `{"$arbor":"redacted"}` stands in its place, in texts `‹redacted›`. What has such a part is shown, and cannot be loaded.
  /// - Subclasses of a class are redacted too, and with a protocol (`(any Secret).self`) all that conforms to it.
  /// - A dictionary with such keys is redacted whole.
  /// - **Not seen** is what another value has made of it: a value that is encoded by a call of its own `encode(to:)` with the encoder of
  ///   what has it, and what is copied out of it.
  public static func type<Value>(_ type: Value.Type) -> Redaction {
    Redaction { rules in rules.hidden.insert(type) }
  }

  /// Changes each action of the root store before it is recorded.
  public static func action(_ replace: @escaping @Sendable (inout Action) -> Void) -> Redaction {
    Redaction { rules in rules.actions.append(replace) }
  }
}
