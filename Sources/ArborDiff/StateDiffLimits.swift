/// The limits of a ``StateDiff``.
package struct StateDiffLimits: Sendable {
  /// The greatest number of changes that are listed.
  package var changes: Int

  /// The depth, in parts, down to which values are compared part by part; deeper ones are compared by their texts.
  package var depth: Int

  /// The greatest number of characters in the text of a value.
  package var characters: Int

  /// The greatest number of pairs of parts that are looked at. Eight numbers, texts or keys count as one part, and 128 elements
  /// that are compared by their bits.
  package var parts: Int

  /// `true` if `==` is asked of values that show no difference and have a mirror of their own, which may hide one.
  package var seesHidden: Bool

  package init(
    changes: Int = 100,
    depth: Int = 32,
    characters: Int = 200,
    parts: Int = 1_000_000,
    seesHidden: Bool = false
  ) {
    self.changes = changes
    self.depth = depth
    self.characters = characters
    self.parts = parts
    self.seesHidden = seesHidden
  }
}
