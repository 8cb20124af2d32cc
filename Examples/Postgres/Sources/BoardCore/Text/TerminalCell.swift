/// A character as a terminal shows it: harmless, and with a known width.
///
/// - Characters that a terminal would execute, or that change the direction of text, are replaced. So no other person's text
///   can move the cursor, clear the screen, or forge a line.
/// - It is at least one column wide, so a line has no more characters than columns.
struct TerminalCell: Equatable {
  /// The maximum number of scalars of a character: as many as in the longest emoji.
  private static let longest = 10

  let text: String
  let width: Int

  init(_ character: Character) {
    if let byte = character.asciiValue, (0x20..<0x7F).contains(byte) {
      (text, width) = (String(character), 1)
      return
    }
    var scalars = String.UnicodeScalarView()
    for scalar in character.unicodeScalars.prefix(Self.longest) {
      if scalars.isEmpty, scalar.isMark { scalars.append("\u{25CC}") }
      scalars.append(scalar.harmless(isFirst: scalars.isEmpty))
    }
    text = String(scalars)
    width = Self.width(of: scalars)
  }

  private static func width(of scalars: String.UnicodeScalarView) -> Int {
    // Terminals show these as one picture, or show each part. After them, the position is set explicitly.
    if scalars.contains(where: { $0.isEmojiGlue }) { return 2 }
    return max(scalars.reduce(0) { $0 + $1.width }, 1)
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  /// `true` for the joiner, the selector of the colored form, skin tones, and the letters of flags.
  fileprivate var isEmojiGlue: Bool {
    switch value {
    case 0x200D, 0xFE0F, 0x1F3FB...0x1F3FF, 0x1F1E6...0x1F1FF, 0xE0020...0xE007F: true
    default: false
    }
  }

  /// Returns the scalar, or a replacement for it.
  fileprivate func harmless(isFirst: Bool) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    switch value {
    // The picture of the control character.
    case 0x00...0x1F: return Unicode.Scalar(0x2400 + value) ?? replacement
    case 0x7F: return "\u{2421}"
    case 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F: return isFirst ? replacement : self
    default: break
    }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
      return replacement
    default:
      // An invisible letter.
      return properties.isDefaultIgnorableCodePoint ? replacement : self
    }
  }
}
