/// The difference of two values, as far as their mirrors show it.
///
/// - `counter.count: 1 → 2`: one line for each part that differs, with its path through structs, enums, optionals,
///   arrays, dictionaries, sets, tuples, tables and objects. The lines are in the order of the parts; for unordered
///   collections, in the order of their texts.
/// - For tables, it includes the order of the records, and the manual orders: `books.order: [1, 2] → [2, 1]`.
/// - It is bounded by a maximum number of changes, a maximum depth, a maximum length of texts, and a maximum number of
///   visited pairs of parts. It reports everything that was left out.
/// - Values with the same bits aren't visited. In a table, only the parts that the other version doesn't share are
///   visited.
/// - Two references to the same object don't differ, even if the object has changed, because there is only one. Other
///   references are compared by their parts, each pair once.
/// - Only leaves, elements of sets and keys are compared with `==`. If a value isn't equal to itself, it counts as
///   unchanged if its text is the same. On request, values that show no difference and have their own mirror are also
///   compared with `==`: `password: Password(…) → another Password(…)`.
package struct StateDiff: Codable, Hashable, Sendable {
  /// The parts that differ.
  package let changes: [StateChange]

  /// `true` if there were more changes than are listed.
  package let isTruncated: Bool

  /// The parts that weren't completely visited.
  package let omissions: [StateOmission]

  /// Compares two values.
  package init<State>(from before: State, to after: State, limits: StateDiffLimits = StateDiffLimits()) {
    var comparison = StateComparison(limits: limits)
    comparison.compare(before, after, at: StatePath())
    changes = comparison.changes
    isTruncated = comparison.isTruncated
    omissions = comparison.omissions
  }

  /// `true` if none of the visited parts differs.
  package var isEmpty: Bool { changes.isEmpty }

  /// Lines that describe the parts that aren't listed, if any.
  package var remarks: [String] {
    (isTruncated ? ["…"] : []) + omissions.map(\.description)
  }
}

extension StateDiff: CustomStringConvertible {
  /// A line for each change, and for parts that aren't listed.
  package var description: String {
    (changes.map(\.description) + remarks).joined(separator: "\n")
  }
}
