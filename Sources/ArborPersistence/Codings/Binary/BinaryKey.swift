/// A key of a coding path, made of what is known of it.
struct BinaryKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  init?(intValue: Int) { self.init(index: intValue) }

  /// The key of the part that a superclass encodes.
  static let ofSuperclass = BinaryKey(stringValue: "super")
}
