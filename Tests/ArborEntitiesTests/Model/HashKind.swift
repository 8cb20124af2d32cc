/// What the hashes of ids are like.
enum HashKind: Int, CaseIterable, Sendable {
  /// As those of any other type.
  case normal

  /// One, two, three: all differ in their lowest bits.
  case sequential

  /// All differ in their highest bits alone, so that they meet in all nodes but the last.
  case high

  /// Four different ones.
  case moduloFour

  /// All alike.
  case constant
}
