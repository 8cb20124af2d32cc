/// The name of a file of a storage, made of its number and its kind.
///
/// - Numbers increase: a file with a greater number was created later. They are never reused. The number of an
///   ``Kind/end`` is the number of an entry.
struct FileName: Hashable {
  /// A kind of file; the raw value is the extension of its name.
  enum Kind: String {
    /// All parts at one moment.
    case state

    /// The entries that follow a state or another log.
    case log

    /// A state that is being written. It is useless once its process has ended.
    case unfinished

    /// An empty file that is created when a storage is closed. Its name contains the number of the last durable entry.
    case end
  }

  /// The upper bound of the numbers. No storage comes near it, so a file with a greater number comes from elsewhere.
  static let bound = Frame.bound

  let number: UInt64
  let kind: Kind

  init(_ number: UInt64, _ kind: Kind) {
    self.number = number
    self.kind = kind
  }

  /// Parses a name; nil if it isn't the name of a storage's file.
  init?(_ text: String) {
    guard let (digits, kind) = Self.fields(of: text), let number = UInt64(digits), number < Self.bound else {
      return nil
    }
    self.init(number, kind)
  }

  /// Returns the number and the kind in the name of a storage's file, even if the number is too great.
  private static func fields(of text: String) -> (digits: Substring, kind: Kind)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[1])) else { return nil }
    let digits = parts[0]
    let isNumber = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isNumber && (digits == "0" || !digits.isEmpty && digits.first != "0") ? (digits, kind) : nil
  }

  /// Returns the names of a storage's files in a folder, in any order.
  ///
  /// - Throws: An error of the folder, or an error if a number isn't below the ``bound``. Files that are written after
  ///   such a file couldn't be found again, because their numbers would have to be greater.
  static func all(in folder: any FileFolder) throws(FileError) -> [FileName] {
    let texts = try folder.names()
    if let text = texts.first(where: { FileName($0) == nil && fields(of: $0) != nil }) {
      throw .numberTooGreat(.open, folder.path(of: text))
    }
    return texts.compactMap { FileName($0) }
  }

  /// Throws if the number isn't below the ``bound``, because a file of this name couldn't be found again.
  func requireBound(in folder: any FileFolder) throws(FileError) {
    guard number < Self.bound else { throw .numberTooGreat(.create, folder.path(of: text)) }
  }

  var text: String { "\(number).\(kind.rawValue)" }
}

/// The files of a storage that its writer has found or created.
struct KnownFiles: Sendable {
  private let folder: any FileFolder

  /// The names of all files except the ``ends``.
  private(set) var names: [FileName]

  /// The names of the files that contain the number of the last durable entry when the storage was closed.
  private(set) var ends: [FileName]

  /// `true` if an abandoned state may have left an unknown file, because the folder couldn't be listed.
  private var isIncomplete = false

  init(in folder: any FileFolder, of contents: FolderContents) {
    self.folder = folder
    (names, ends) = (contents.files, contents.ends)
  }

  /// `true` if the folder contains these files and no others.
  var isAll: Bool {
    get throws(FileError) { Set(try FileName.all(in: folder).filter { $0.kind != .end }) == Set(names) }
  }

  /// Adds a file that was created.
  mutating func append(_ name: FileName) {
    if name.kind == .end { ends.append(name) } else { names.append(name) }
  }

  /// Adds the remaining files of an abandoned state. It may already have its final name, or couldn't be removed.
  mutating func noteRemains(of draft: FolderWriter.Draft) {
    do throws(FileError) {
      try noteFiles { $0 == draft.name || $0 == draft.unfinishedName }
    } catch {
      isIncomplete = true
    }
  }

  private mutating func noteFiles(where isNoted: (FileName) -> Bool) throws(FileError) {
    names += try FileName.all(in: folder).filter { isNoted($0) && $0.kind != .end && !names.contains($0) }
  }

  /// Removes the files before a state, and all ends.
  ///
  /// - Throws: The first error. Files that couldn't be removed are removed with the next state.
  mutating func remove(before number: UInt64) throws(FileError) {
    if isIncomplete {
      try noteFiles { $0.number < number }
      isIncomplete = false
    }
    try remove(names.filter { $0.number < number } + ends)
  }

  /// Removes files. If one can't be removed, it stays in this list, and the others are still removed.
  ///
  /// - Throws: The first error.
  mutating func remove(_ removed: [FileName]) throws(FileError) {
    let folder = folder
    try folder.remove(removed.map(\.text)) { text in
      names.removeAll { $0.text == text }
      ends.removeAll { $0.text == text }
    }
  }
}
