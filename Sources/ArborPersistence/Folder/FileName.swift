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

  let number: UInt64
  let kind: Kind

  init(_ number: UInt64, _ kind: Kind) {
    self.number = number
    self.kind = kind
  }

  /// Reads a name; nil if it is that of another file.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt64(parts[0]), number < .max / 2,
      let kind = Kind(rawValue: String(parts[1]))
    else {
      return nil
    }
    self.init(number, kind)
    guard self.text == text else { return nil }
  }

  var text: String { "\(number).\(kind.rawValue)" }
}
