/// The way from a state to a part of it.
struct StatePath {
  private(set) var text = ""
  private(set) var depth = 0

  /// Returns the path of the part with a name.
  func member(_ name: String) -> StatePath {
    // The storage of a property wrapper has the property's name with an underscore.
    let name = name.hasPrefix("_") ? String(name.dropFirst()) : name
    return step(text.isEmpty ? name : ".\(name)")
  }

  /// Returns the path of the part at an index, or with a key.
  func element(_ key: String) -> StatePath {
    step("[\(key)]")
  }

  /// Returns the path of the order of a table's records, or of one of its manual orders.
  func order(_ name: String? = nil) -> StatePath {
    let step = member("order")
    return name.map { step.step("(\($0.debugDescription))") } ?? step
  }

  /// The same path, for the content of a part without its own name.
  var inside: StatePath { step("") }

  private func step(_ text: String) -> StatePath {
    var path = self
    path.text += text
    path.depth += 1
    return path
  }
}
