/// Keeping aside what could not be read, before anything is written over it.
struct KeptAside {
  /// The ending of the names of files that are kept aside.
  static let ending = ".damaged"

  let folder: any FileFolder
  let durability: Durability

  /// Keeps a copy of a file. Returns its name.
  func keep(file name: String) throws(FileError) -> String? {
    guard let bytes = try folder.open(name)?.readAll() else { return nil }
    return try keep(bytes, of: name)
  }

  /// Keeps bytes under a name that says so. Returns the name: that of a file which has the same bytes, if there is one.
  ///
  /// - A copy that was not kept whole is removed. A process that ends early may leave it; then the next name is taken.
  func keep(_ bytes: [UInt8], of name: String) throws(FileError) -> String {
    let name = Self.fileName(of: name)
    var number = 1
    while true {
      let candidate = number == 1 ? name + Self.ending : "\(name)-\(number)\(Self.ending)"
      guard let file = try folder.open(candidate) else {
        try write(bytes, as: candidate)
        return candidate
      }
      if try file.length() == bytes.count, try file.readAll() == bytes {
        // The process that wrote the file may have ended before syncing it.
        try sync(file)
        return candidate
      }
      number += 1
    }
  }

  private func write(_ bytes: [UInt8], as name: String) throws(FileError) {
    let file = try folder.create(name)
    do throws(FileError) {
      try file.append(bytes)
      try sync(file)
    } catch {
      try? folder.remove(name)
      throw error
    }
  }

  private func sync(_ file: any FolderFile) throws(FileError) {
    try file.sync(durability)
    try folder.sync(durability)
  }

  /// Removes all files that are kept aside.
  func removeAll() throws(FileError) {
    for name in try folder.names() where name.hasSuffix(Self.ending) { try folder.remove(name) }
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
    var checksum = Checksum()
    Array(part.utf8).withUnsafeBytes { checksum.add($0) }
    return String(decoding: Array(text.utf8).prefix(150), as: UTF8.self).filter { $0 != "\u{FFFD}" }
      + "-\(checksum.value)"
  }
}
