extension [Int] {
  /// The positions of a longest increasing subsequence, in ascending order.
  ///
  /// - Cost: O(n log n).
  @usableFromInline var longestIncreasingSubsequence: [Int] {
    // For each length, the end of the subsequence of that length with the smallest last number.
    var ends: [Int] = []
    // For each position, the previous position in the subsequence that ends there.
    var previous: [Int?] = []
    previous.reserveCapacity(count)
    for (position, number) in enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if self[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    return sequence(state: ends.last) { next in
      defer { next = next.flatMap { previous[$0] } }
      return next
    }.reversed()
  }
}
