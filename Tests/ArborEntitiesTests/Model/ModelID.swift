/// An id whose hash is of a selectable kind. An id with a negative number is not equal to itself.
struct ModelID: Hashable, Codable, Sendable, CustomStringConvertible {
  let number: Int

  /// The raw value of a ``HashKind``: a whole word, so that two equal ids have the same bits.
  private let rawKind: Int

  init(_ number: Int, _ kind: HashKind) {
    self.number = number
    rawKind = kind.rawValue
  }

  static func unequal(_ kind: HashKind) -> ModelID { ModelID(-1, kind) }

  static func == (left: ModelID, right: ModelID) -> Bool { left.number == right.number && left.number >= 0 }

  func hash(into hasher: inout Hasher) {
    switch HashKind(rawValue: rawKind)! {
    case .normal, .sequential, .high: hasher.combine(number)
    case .moduloFour: hasher.combine(number % 4)
    case .constant: hasher.combine(0)
    }
  }

  var hashValue: Int {
    switch HashKind(rawValue: rawKind)! {
    case .sequential: return number
    case .high: return number << 22
    case .normal, .moduloFour, .constant:
      var hasher = Hasher()
      hash(into: &hasher)
      return hasher.finalize()
    }
  }

  var description: String { "ModelID(\(number), .\(HashKind(rawValue: rawKind)!))" }
}
