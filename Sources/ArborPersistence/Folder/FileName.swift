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
