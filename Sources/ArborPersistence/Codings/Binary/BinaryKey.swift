/// A key of a coding path, with a name or an index.
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

  /// The key under which a superclass encodes its part.
  static let ofSuperclass = BinaryKey(stringValue: "super")
}
