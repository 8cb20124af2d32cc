/// What keeps its elements side by side, so that two of them can be compared by their bits.
protocol ContiguousElements {
  /// Whether another value is of the same type and has the same bits, element for element; may say no though it has.
  func hasBits(of other: Any) -> Bool
}

extension Array: ContiguousElements {
  func hasBits(of other: Any) -> Bool {
    guard let other = other as? Self, count == other.count else { return false }
    return withUnsafeBytes { bytes in
      other.withUnsafeBytes { others in BitComparison.isSame(bytes, others, in: 0..<bytes.count) }
    }
  }
}
