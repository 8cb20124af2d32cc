extension String {
  /// The text with escapes for what a terminal would not show, but do: no line of a file may clear the screen, end early and
  /// forge another one, or turn the order of what is read.
  var escaped: String {
    var text = ""
    for scalar in unicodeScalars {
      text += scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Embeddings, overrides and isolates, which change the direction of writing.
    default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }
}
