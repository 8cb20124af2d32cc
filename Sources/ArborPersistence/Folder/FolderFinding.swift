/// A finding in the files of a storage that is not as it was written.
public enum FolderFinding: Hashable, Sendable {
  /// The end of a log that is not whole, from an offset in bytes on, as a crash leaves entries that were never
  /// acknowledged. Damage of the very last entries looks the same: no later one says that they were.
  case tornEnd(file: String, offset: Int)

  /// Bytes of a log that are not what was written, from an offset on. The entries before are used, those behind are not.
  case damagedLog(file: String, offset: Int)

  /// A state with bytes that are not what was written, from an offset on, and the names of the parts that are lost by it;
  /// nil if all are. Behind the offset there may be parts that are whole.
  case damagedState(file: String, offset: Int, parts: [String]?)

  /// A log that begins behind entries which were acknowledged, and cannot be read: it is not used.
  case unusedLog(file: String)

  /// A file of another storage, which somebody has put here: it is not used. Of a state with a greater number than those
  /// of this storage that cannot be told: then these are the files of another one.
  case foreignFile(file: String)

  /// Entries that were acknowledged, and are in no file.
  case missingEntries(after: UInt64)

  /// `true` if something is lost that was acknowledged.
  public var isDamage: Bool {
    if case .tornEnd = self { false } else { true }
  }

  /// `true` if a part may be lost that was acknowledged.
  func mayConcern(_ part: String) -> Bool {
    if case .damagedState(_, _, let parts?) = self { parts.contains(part) } else { isDamage }
  }

  /// The file that is not as it was written; nil if there is none.
  var file: String? {
    switch self {
    case .tornEnd(let file, _), .damagedLog(let file, _), .damagedState(let file, _, _): file
    case .unusedLog(let file), .foreignFile(let file): file
    case .missingEntries: nil
    }
  }
}

extension FolderFinding: CustomStringConvertible {
  /// The finding, as one sentence.
  public var description: String {
    switch self {
    case .tornEnd(let file, let offset): "\(file) is not whole from byte \(offset) on: the rest is cut off"
    case .damagedLog(let file, let offset):
      "\(file) is damaged at byte \(offset): what was written from there on is lost"
    case .damagedState(let file, let offset, []): "\(file) is damaged at byte \(offset), and no part is lost by it"
    case .damagedState(let file, let offset, let parts?):
      "\(file) is damaged at byte \(offset): \(parts.joined(separator: ", ")) is lost"
    case .damagedState(let file, let offset, nil):
      "\(file) is damaged at byte \(offset): all that is in it is lost"
    case .unusedLog(let file): "\(file) is not used: what stands before it cannot be read"
    case .foreignFile(let file): "\(file) is of another storage, and is not used"
    case .missingEntries(let entry): "what was written after entry \(entry) is in no file"
    }
  }
}
