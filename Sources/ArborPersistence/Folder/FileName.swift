/// The name of a file of a storage: its number, and its kind.
///
/// - Numbers grow: a file with a greater number was made later. They are never used again. That of an ``Kind/end`` is the
///   number of an entry.
struct FileName: Hashable {
  /// The kinds of files, by the endings of their names.
  enum Kind: String {
    /// All parts at one moment.
    case state

    /// The entries that follow a state, or another log.
    case log

    /// A state that is being written. It is of no use if its program has ended.
    case unfinished

    /// A file without bytes, made when a storage is closed: its name says up to which entry all was durable.
    case end
  }

  /// The bound of the numbers. No storage comes near it: who has a greater one was put there by somebody else.
  static let bound = Frame.bound

  let number: UInt64
  let kind: Kind

  init(_ number: UInt64, _ kind: Kind) {
    self.number = number
    self.kind = kind
  }

  /// Reads a name; nil if it is that of another file.
  init?(_ text: String) {
    guard let (digits, kind) = Self.fields(of: text), let number = UInt64(digits), number < Self.bound else {
      return nil
    }
    self.init(number, kind)
  }

  /// The number and the kind in the name of a file of a storage, whatever the number is.
  private static func fields(of text: String) -> (digits: Substring, kind: Kind)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[1])) else { return nil }
    let digits = parts[0]
    let isNumber = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isNumber && (digits == "0" || !digits.isEmpty && digits.first != "0") ? (digits, kind) : nil
  }

  /// The names of the files of a storage in a folder, in any order.
  ///
  /// - Throws: Also if a number is not below the ``bound``. Nothing that is written behind such a file could be found
  ///   again, for its number would have to be greater.
  static func all(in folder: any FileFolder) throws(FileError) -> [FileName] {
    let texts = try folder.names()
    if let text = texts.first(where: { FileName($0) == nil && fields(of: $0) != nil }) {
      throw .numberTooGreat(.open, folder.path(of: text))
    }
    return texts.compactMap { FileName($0) }
  }

  /// Throws if the number is not below the ``bound``, so that a file of this name would not be found again.
  func requireBound(in folder: any FileFolder) throws(FileError) {
    guard number < Self.bound else { throw .numberTooGreat(.create, folder.path(of: text)) }
  }

  var text: String { "\(number).\(kind.rawValue)" }
}

/// The files of a storage that its writer knows, because it has found or made them.
struct KnownFiles: Sendable {
  private let folder: any FileFolder

  /// The names of all but the ``ends``.
  private(set) var names: [FileName]

  /// The names of the files that say up to where all was durable when the storage was closed.
  private(set) var ends: [FileName]

  /// `true` if a state that was given up may have left a file that is not known, because the folder could not be listed.
  private var isIncomplete = false

  init(in folder: any FileFolder, of contents: FolderContents) {
    self.folder = folder
    (names, ends) = (contents.files, contents.ends)
  }

  /// `true` if these files are in the folder, and no others.
  var isAll: Bool {
    get throws(FileError) { Set(try FileName.all(in: folder).filter { $0.kind != .end }) == Set(names) }
  }

  /// Notes a file that was made.
  mutating func append(_ name: FileName) {
    if name.kind == .end { ends.append(name) } else { names.append(name) }
  }

  /// Notes what is left of a state that was given up: it may have its last name already, or could not be removed.
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
  /// - Throws: The first error. What could not be removed is removed with the next state.
  mutating func remove(before number: UInt64) throws(FileError) {
    if isIncomplete {
      try noteFiles { $0.number < number }
      isIncomplete = false
    }
    try remove(names.filter { $0.number < number } + ends)
  }

  /// Removes files. One that cannot be removed stays among these, and keeps no other one in the folder.
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
