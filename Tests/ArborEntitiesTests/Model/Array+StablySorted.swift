extension Array {
  /// Sorted so that of two of which none is in front of the other the first one stays the first.
  func stablySorted(by areInOrder: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { left, right in
      if areInOrder(left.element, right.element) { return true }
      return left.offset < right.offset && !areInOrder(right.element, left.element)
    }
    .map(\.element)
  }
}
