/// The sequences that terminals send for keys that aren't characters.
enum KeySequence {
  static let escape: UInt8 = 0x1B

  /// The number of bytes after which a sequence is invalid.
  private static let longest = 32

  /// Returns the first key in bytes that begin with an escape, and its length; see ``KeyDecoder``.
  static func first(in bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    let rest = bytes.dropFirst()
    switch rest.first {
    case nil: return nil
    case escape: return (.escape, 1)
    case UInt8(ascii: "["): return control(in: rest.dropFirst()).map { key, length in (key, length + 2) }
    case UInt8(ascii: "O"):
      // The arrow keys of a terminal whose keypad is in application mode.
      return rest.dropFirst().first.map { (key(endingIn: $0, []), 3) }
    default:
      return KeyDecoder.character(in: rest).map { character, length in (character.map(Key.alt), length + 1) }
    }
  }

  /// Returns the key of a control sequence, after its `ESC [`, and its length.
  private static func control(in bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    // The function keys of a Linux console have one more byte.
    if bytes.first == UInt8(ascii: "[") { return bytes.count > 1 ? (nil, 2) : nil }
    guard let end = bytes.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return bytes.count > longest ? (nil, bytes.count) : nil
    }
    // A byte that no sequence contains starts something new.
    guard (0x40...0x7E).contains(bytes[end]) else { return (nil, end - bytes.startIndex) }
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 1 }
    return (key(endingIn: bytes[end], numbers), end + 1 - bytes.startIndex)
  }

  private static func key(endingIn byte: UInt8, _ numbers: [Int]) -> Key? {
    let isShifted = numbers.count > 1 && numbers[1] > 1
    switch Unicode.Scalar(byte) {
    case "A": return .arrow(.up, isShifted: isShifted)
    case "B": return .arrow(.down, isShifted: isShifted)
    case "C": return .arrow(.right, isShifted: isShifted)
    case "D": return .arrow(.left, isShifted: isShifted)
    case "F": return .end
    case "H": return .home
    case "Z": return .backTab
    case "~": return numbers.first.flatMap(key(numbered:))
    default: return nil
    }
  }

  private static func key(numbered number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    default: nil
    }
  }
}
