/// Returns the fewest elements found with which something still fails: it leaves out shorter and shorter runs of them
/// (delta debugging).
func shortest<Element>(_ elements: [Element], fails: ([Element]) -> Bool) -> [Element] {
  var elements = elements
  var length = max(elements.count / 2, 1)
  while true {
    var start = 0
    while start < elements.count {
      var fewer = elements
      fewer.removeSubrange(start..<min(start + length, elements.count))
      if fails(fewer) { elements = fewer } else { start += length }
    }
    if length == 1 { return elements }
    length /= 2
  }
}
