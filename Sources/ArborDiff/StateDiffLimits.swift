/// The limits of a ``StateDiff``.
package struct StateDiffLimits: Sendable {
  /// The maximum number of changes that are listed.
  package var changes: Int

  /// The depth down to which values are compared part by part; deeper values are compared by their texts.
  package var depth: Int

  /// The maximum number of characters in the text of a value.
  package var characters: Int

  /// The maximum number of pairs of parts that are visited. Eight numbers, texts or keys count as one part, and so do
  /// 128 elements that are compared by their bits.
  package var parts: Int

  /// `true` to call `==` for values that show no difference and have their own mirror, which may hide a difference.
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
