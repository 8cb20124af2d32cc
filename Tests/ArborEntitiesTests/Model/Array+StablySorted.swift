extension Array {
  /// Sorts stably: elements of which neither comes first keep their order.
  func stablySorted(by areInOrder: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { left, right in
      if areInOrder(left.element, right.element) { return true }
      return left.offset < right.offset && !areInOrder(right.element, left.element)
    }
    .map(\.element)
  }
}
