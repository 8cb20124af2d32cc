extension Array {
  /// The number of elements for which a closure returns `true`; they must come before all others.
  @inlinable
  func partition(where isInFront: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isInFront(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
