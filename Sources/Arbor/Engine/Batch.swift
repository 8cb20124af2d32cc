/// Several values as one object, to be let go of together.
final class Batch<Element> {
  private let elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements
  }
}
