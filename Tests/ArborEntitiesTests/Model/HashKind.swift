/// The distribution of the hashes of ids.
enum HashKind: Int, CaseIterable, Sendable {
  /// Ordinary hashes.
  case normal

  /// One, two, three: all differ in their lowest bits.
  case sequential

  /// All differ only in their highest bits, so that they share all nodes but the last.
  case high

  /// Four different hashes.
  case moduloFour

  /// All hashes are equal.
  case constant
}
