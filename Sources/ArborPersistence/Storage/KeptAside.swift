/// The copies of unreadable data in a folder, which are made before anything is written over it.
///
/// - The name of each copy contains its own checksum, which identifies it. Files of other programs with the same ending
///   are left untouched.
package struct KeptAside {
  /// The ending of the copies' names.
  private static let ending = ".damaged"

  let folder: any FileFolder
  let durability: Durability

  /// Copies a file, and returns the name of the copy; returns nil if there is no such file.
  func keep(file name: String) throws(FileError) -> String? {
    guard let bytes = try folder.open(name)?.readAll() else { return nil }
    return try keep(bytes, of: name)
  }

  package init(folder: any FileFolder, durability: Durability) {
    (self.folder, self.durability) = (folder, durability)
  }

  /// Keeps bytes in a file whose name identifies it as a copy. Returns its name, or the name of an existing copy with
  /// the same bytes.
  ///
  /// - An incomplete copy is removed. If the process ends before that, the copy may remain; then the next name is used.
  @discardableResult
  package func keep(_ bytes: [UInt8], of name: String) throws(FileError) -> String {
    let foreign = Set(try folder.foreignNames())
    var number = 0
    while true {
      number += 1
      let candidate = Self.name(of: name, number: number)
      guard !foreign.contains(candidate) else { continue }
      guard let file = try folder.open(candidate) else {
        try folder.make(candidate, bytes, durability)
        return candidate
      }
      if try file.length() == bytes.count, try file.readAll() == bytes {
        // The process that wrote the file may have ended before syncing it.
        try file.sync(durability)
        try folder.sync(durability)
        return candidate
      }
    }
  }

  /// Removes all files that were kept aside. If one can't be removed, the others still are.
  ///
  /// - Throws: The first error.
  func removeAll() throws(FileError) {
    try folder.remove(try folder.names().filter(Self.isName))
  }

  /// Returns the name under which a file, or the bytes of a part, is kept aside.
  ///
  /// - Parameters:
  ///   - name: The name of the file or the part.
  ///   - number: The number of files kept aside for that name, including this one.
  package static func name(of name: String, number: Int = 1) -> String {
    let stem = fileName(of: name) + (number == 1 ? "" : "-\(number)")
    return "\(stem).\(mark(of: stem))\(ending)"
  }

  /// Returns `true` if a name is one under which a storage has kept data aside.
  static func isName(_ text: String) -> Bool {
    guard text.hasSuffix(ending) else { return false }
    let stem = text.dropLast(ending.count)
    guard let dot = stem.lastIndex(of: ".") else { return false }
    return stem[stem.index(after: dot)...] == mark(of: String(stem[..<dot]))
  }

  /// Returns the checksum in the name of a copy that begins with a stem.
  private static func mark(of stem: String) -> String {
    let digits = String(Checksum(of: "kept aside: \(stem)").value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Returns a part's name without the characters that aren't allowed in file names.
  private static func fileName(of part: String) -> String {
    let name = part.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_. ".unicodeScalars.contains(scalar)
        ? String(scalar) : "_"
    }
    let text = name.joined()
    guard text.utf8.count > 150 else { return text }
    // File systems allow at most 255 bytes. The checksum distinguishes shortened names.
    return String(decoding: Array(text.utf8).prefix(150), as: UTF8.self).filter { $0 != "\u{FFFD}" }
      + "-\(Checksum(of: part).value)"
  }
}
