extension String {
  /// The text with escapes in place of control characters: no name of a part may clear the screen, forge a line, or
  /// change the direction of the text.
  var escaped: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      text += scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return text
  }
}

extension Unicode.Scalar {
  /// `true` if a terminal executes the character instead of showing it.
  var isControl: Bool {
    // Nearly all scalars are printable ASCII, and reading their category is slow.
    if (0x20..<0x7F).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // Embeddings, overrides and isolates, which change the direction of writing.
    default: return (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }
}
