/// How far a ``StateDiff`` goes.
package struct StateDiffLimits: Sendable {
  /// How many changes are listed.
  package var changes: Int

  /// How many parts deep is compared; what is deeper is compared by its text.
  package var depth: Int

  /// How many characters the text of a value has.
  package var characters: Int

  /// How many pairs of parts are looked at: values that refer to the same parts many times have more paths than time allows.
  package var parts: Int

  package init(changes: Int = 100, depth: Int = 32, characters: Int = 200, parts: Int = 1_000_000) {
    self.changes = changes
    self.depth = depth
    self.characters = characters
    self.parts = parts
  }
}
