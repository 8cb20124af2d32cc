internal import Arbor

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
