extension Array {
  /// Removes elements as long as a closure still fails without them: first large parts, finally single ones.
  func shortened(while fails: ([Element]) -> Bool) -> [Element] {
    var elements = self
    var size = Swift.max(count / 2, 1)
    while true {
      let count = elements.count
      var start = 0
      while start < elements.count {
        var fewer = elements
        fewer.removeSubrange(start..<Swift.min(start + size, elements.count))
        if fails(fewer) { elements = fewer } else { start += size }
      }
      // An element that could not be removed may be removable after another one is.
      if size == 1, elements.count == count { return elements }
      size = Swift.max(size / 2, 1)
    }
  }
}
