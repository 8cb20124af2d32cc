/// How far a ``StateDiff`` goes.
package struct StateDiffLimits: Sendable {
  /// How many changes are listed.
  package var changes: Int

  /// How many parts deep is compared; what is deeper is compared by its text.
  package var depth: Int

  /// How many characters the text of a value has.
  package var characters: Int

  /// How many pairs of parts are looked at. Eight numbers, short texts or keys count as one part, and 128 elements that are compared
  /// by their bits.
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
