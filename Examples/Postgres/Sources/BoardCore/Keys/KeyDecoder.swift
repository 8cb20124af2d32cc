/// Decodes keys from the bytes that a terminal sends.
///
/// - Sequences and characters may be split across any number of reads: their first bytes wait for the rest.
/// - An escape byte at the end of a read may be the escape key, or the beginning of a sequence. If nothing follows for
///   a moment, call ``flush()`` to treat it as the key.
/// - Unknown sequences are ignored completely.
package struct KeyDecoder: Sendable {
  /// The maximum number of bytes of a paste. The rest of the paste is ignored.
  private static let longestPaste = 1 << 16

  private var waiting: [UInt8] = []

  package init() {}

  /// `true` if bytes wait for their rest. If it doesn't arrive, call ``flush()``.
  package var isWaiting: Bool { !waiting.isEmpty && !isPasting }

  private var isPasting: Bool { waiting.starts(with: PasteMark.begin) }

  package mutating func keys(of bytes: some Collection<UInt8>) -> [Key] {
    waiting += bytes
    var keys: [Key] = []
    var rest = waiting[...]
    while let (key, length) = Self.first(in: rest) {
      if let key { keys.append(key) }
      rest = rest.dropFirst(length)
    }
    waiting = Array(rest)
    if isPasting, waiting.count > Self.longestPaste {
      // The last bytes may be the beginning of the end mark.
      waiting = waiting.prefix(Self.longestPaste - PasteMark.end.count) + waiting.suffix(PasteMark.end.count)
    }
    return keys
  }

  /// Returns the keys of the waiting bytes, if no more arrive.
  package mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    defer { waiting = [] }
    return waiting == [KeySequence.escape] ? [.escape] : []
  }

  /// Returns the first key in the bytes, and its length; nil if the rest of it hasn't arrived.
  ///
  /// The key is nil if the bytes are unknown.
  private static func first(in bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    guard let byte = bytes.first else { return nil }
    if bytes.starts(with: PasteMark.begin) { return paste(in: bytes) }
    switch byte {
    case KeySequence.escape: return KeySequence.first(in: bytes)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0x01...0x1A: return (.control(Character(Unicode.Scalar(byte + 0x60))), 1)
    case 0x00..<0x20: return (nil, 1)
    default: return character(in: bytes).map { character, length in (character.map(Key.character), length) }
    }
  }

  /// Returns the first character in the bytes, as one scalar of UTF-8, and its length; nil if the rest of it hasn't arrived.
  ///
  /// The character is nil if the bytes are invalid.
  static func character(in bytes: ArraySlice<UInt8>) -> (character: Character?, length: Int)? {
    guard let byte = bytes.first else { return nil }
    let length =
      switch byte {
      case 0x00...0x7F: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0 else { return (nil, 1) }
    let own = bytes.prefix(length)
    // A byte that doesn't continue the character starts a new one.
    if let other = own.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (nil, other - bytes.startIndex) }
    guard own.count == length else { return nil }
    guard let text = String(validating: own, as: UTF8.self), let scalar = text.unicodeScalars.first,
      scalar.properties.generalCategory != .control
    else { return (nil, length) }
    return (Character(scalar), length)
  }

  private static func paste(in bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    let content = bytes.dropFirst(PasteMark.begin.count)
    guard let end = content.firstRange(of: PasteMark.end) else { return nil }
    return (.paste(String(decoding: content[..<end.lowerBound], as: UTF8.self)), end.upperBound - bytes.startIndex)
  }
}

/// The sequences before and after pasted text.
private enum PasteMark {
  static let begin = Array("\u{1B}[200~".utf8)
  static let end = Array("\u{1B}[201~".utf8)
}
