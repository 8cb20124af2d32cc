extension Unicode.Scalar {
  /// The number of columns that terminals use for the scalar by itself.
  var width: Int {
    if (0x20..<0x300).contains(value) { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    case .spacingMark: return 1
    default: break
    }
    if Self.isMedialOrFinalJamo(value) { return 0 }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  /// `true` for the parts of a syllable that are drawn over its first one.
  private static func isMedialOrFinalJamo(_ value: UInt32) -> Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
  }

  private var isWide: Bool {
    Self.wide.contains { $0.contains(value) }
  }

  /// The ranges that Unicode calls wide or fullwidth (UAX #11), except for the emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08,
    0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
