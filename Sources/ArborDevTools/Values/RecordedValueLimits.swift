/// The limits of a recorded tree. Parts of a value beyond them appear in it as omitted.
package struct RecordedValueLimits: Sendable {
  /// The greatest depth of the tree, in parts.
  package var depth: Int

  /// The greatest number of parts of the tree.
  package var parts: Int

  /// The greatest number of bytes of a text, in UTF-8.
  package var bytes: Int

  package init(depth: Int = 100, parts: Int = 10_000, bytes: Int = 1_048_576) {
    self.depth = depth
    self.parts = parts
    self.bytes = bytes
  }
}
