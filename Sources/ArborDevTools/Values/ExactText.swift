/// A text that equals another one only if both have the same scalars; for strings it is enough to look the same.
struct ExactText {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension ExactText: Hashable {
  static func == (left: ExactText, right: ExactText) -> Bool {
    // Most keys are not the same: that is found without a look at each byte.
    guard left.text.utf8.count == right.text.utf8.count, left.text == right.text else { return false }
    let (left, right) = (left.text.utf8, right.text.utf8)
    return left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { left.elementsEqual($0) }
    }.flatMap(\.self) ?? left.elementsEqual(right)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
