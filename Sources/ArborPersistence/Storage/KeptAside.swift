/// Keeping aside what could not be read, before anything is written over it.
///
/// - The name of a file that is kept aside has its own checksum in it, by which it is known again: files of other programs
///   that happen to have the same ending are left alone.
package struct KeptAside {
  /// The ending of the names of files that are kept aside.
  private static let ending = ".damaged"

  let folder: any FileFolder
  let durability: Durability

  /// Keeps a copy of a file. Returns its name.
  func keep(file name: String) throws(FileError) -> String? {
    guard let bytes = try folder.open(name)?.readAll() else { return nil }
    return try keep(bytes, of: name)
  }

  package init(folder: any FileFolder, durability: Durability) {
    (self.folder, self.durability) = (folder, durability)
  }

  /// Keeps bytes under a name that says so. Returns the name: that of a file which has the same bytes, if there is one.
  ///
  /// - A copy that was not kept whole is removed. A process that ends early may leave it; then the next name is taken.
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

  /// Removes all files that are kept aside. One that cannot be removed keeps no other one in the folder.
  ///
  /// - Throws: The first error.
  func removeAll() throws(FileError) {
    try folder.remove(try folder.names().filter(Self.isName))
  }

  /// The name under which a file, or the bytes of a part, is kept aside.
  ///
  /// - Parameters:
  ///   - name: The name of the file or the part.
  ///   - number: The number of files of that name that are kept aside, with this one.
  package static func name(of name: String, number: Int = 1) -> String {
    let stem = fileName(of: name) + (number == 1 ? "" : "-\(number)")
    return "\(stem).\(mark(of: stem))\(ending)"
  }

  /// `true` if a name is one under which a storage has kept something aside.
  static func isName(_ text: String) -> Bool {
    guard text.hasSuffix(ending) else { return false }
    let stem = text.dropLast(ending.count)
    guard let dot = stem.lastIndex(of: ".") else { return false }
    return stem[stem.index(after: dot)...] == mark(of: String(stem[..<dot]))
  }

  /// The mark of a storage in a name that begins with a stem.
  private static func mark(of stem: String) -> String {
    let digits = String(Checksum(of: "kept aside: \(stem)").value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// A part's name with nothing in it that is not allowed in the name of a file.
  private static func fileName(of part: String) -> String {
    let name = part.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_. ".unicodeScalars.contains(scalar)
        ? String(scalar) : "_"
    }
    let text = name.joined()
    guard text.utf8.count > 150 else { return text }
    // File systems take no more than 255 bytes; the checksum tells names apart.
    return String(decoding: Array(text.utf8).prefix(150), as: UTF8.self).filter { $0 != "\u{FFFD}" }
      + "-\(Checksum(of: part).value)"
  }
}
