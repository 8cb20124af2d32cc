/// The difference of two values, as far as their mirrors tell.
///
/// - `counter.count: 1 → 2`: one line for each part that differs, by its path through structs, enums, optionals, arrays,
///   dictionaries, sets, tuples, tables and objects; in the order of the parts, and of unordered collections in that of their texts.
/// - Of tables, also the order of the records, and the manual orders: `books.order: [1, 2] → [2, 1]`.
/// - Bounded: no more than so many changes, no deeper than so many parts, no text longer than so many characters, no more
///   pairs of parts than so many looked at. What was left out is said.
/// - Values that are the same to the bit are not looked into. Of a table only the parts that the other version does not share are
///   looked at.
/// - Two references to one object do not differ, whatever happened to it: there is only one. Others are compared by their
///   parts, each pair once.
/// - Nothing but the leaves is compared with `==`, and what is in sets and what are keys. What is not equal to itself has not
///   changed where its text is the same. If it is asked for, also what shows no difference and has a mirror of its own:
///   `password: Password(…) → another Password(…)`.
package struct StateDiff: Codable, Hashable, Sendable {
  /// The parts that differ.
  package let changes: [StateChange]

  /// `true` if there were more changes than are listed.
  package let isTruncated: Bool

  /// The parts of which not all was looked at.
  package let omissions: [StateOmission]

  /// Compares two values.
  package init<State>(from before: State, to after: State, limits: StateDiffLimits = StateDiffLimits()) {
    var comparison = StateComparison(limits: limits)
    comparison.compare(before, after, at: StatePath())
    changes = comparison.changes
    isTruncated = comparison.isTruncated
    omissions = comparison.omissions
  }

  /// `true` if nothing differs of what was looked at.
  package var isEmpty: Bool { changes.isEmpty }

  /// Lines that say what is not listed, if anything.
  package var remarks: [String] {
    (isTruncated ? ["…"] : []) + omissions.map(\.description)
  }
}

extension StateDiff: CustomStringConvertible {
  /// A line for each change, and for what is not listed.
  package var description: String {
    (changes.map(\.description) + remarks).joined(separator: "\n")
  }
}
