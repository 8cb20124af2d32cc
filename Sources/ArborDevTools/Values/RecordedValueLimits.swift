/// How much of a value a recorded tree shows. What is beyond stands there as omitted.
package struct RecordedValueLimits: Sendable {
  /// How many parts deep the tree is.
  package var depth: Int

  /// How many parts the tree has.
  package var parts: Int

  /// How many bytes a text has, in UTF-8.
  package var bytes: Int

  package init(depth: Int = 100, parts: Int = 10_000, bytes: Int = 1_048_576) {
    self.depth = depth
    self.parts = parts
    self.bytes = bytes
  }
}
