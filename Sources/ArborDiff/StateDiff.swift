/// What differs between two values, as far as their mirrors tell.
///
/// - `counter.count: 1 → 2`: one line for each part that differs, by its path through structs, enums, optionals, arrays,
///   dictionaries, sets, tuples and objects; in the order of the parts, and of unordered collections in that of their texts.
/// - Bounded: no more than so many changes, no deeper than so many parts, no text longer than so many characters, no more
///   pairs of parts than so many looked at. What was left out is said.
/// - Two references to one object do not differ, whatever happened to it: there is only one. Others are compared by their
///   parts, each pair once.
/// - Nothing but the leaves is compared with `==`, and what is in sets and what are keys. What is not equal to itself has not
///   changed where its text is the same.
package struct StateDiff: Codable, Hashable, Sendable {
  /// The parts that differ.
  package let changes: [StateChange]

  /// Whether there were more changes than are listed.
  package let isTruncated: Bool

  /// Compares two values.
  package init<State>(from before: State, to after: State, limits: StateDiffLimits = StateDiffLimits()) {
    var comparison = StateComparison(limits: limits)
    comparison.compare(before, after, at: StatePath())
    changes = comparison.changes
    isTruncated = comparison.isTruncated
  }

  /// Whether nothing differs.
  package var isEmpty: Bool { changes.isEmpty }
}

extension StateDiff: CustomStringConvertible {
  /// A line for each change.
  package var description: String {
    (changes.map(\.description) + (isTruncated ? ["…"] : [])).joined(separator: "\n")
  }
}
