/// A difference between the files of a storage and what was written to them.
public enum FolderFinding: Hashable, Sendable {
  /// The end of a log is incomplete, from an offset in bytes on: a crash leaves entries that were never acknowledged.
  /// Damage to the very last entries looks the same, because no later entry states that they were acknowledged.
  case tornEnd(file: String, offset: Int)

  /// A log is damaged, from an offset on. The entries before the offset are used, the ones after it aren't.
  case damagedLog(file: String, offset: Int)

  /// A state is damaged, from an offset on. `parts` has the names of the lost parts; nil if all are lost. Parts after
  /// the offset may still be intact.
  case damagedState(file: String, offset: Int, parts: [String]?)

  /// A log that isn't used, because it begins after acknowledged entries that can't be read.
  case unusedLog(file: String)

  /// A file of another storage that was put into the folder; it isn't used. If a foreign state has a greater number
  /// than this storage's states, it can't be recognized: then this storage's own files count as foreign.
  case foreignFile(file: String)

  /// Acknowledged entries that are in no file.
  case missingEntries(after: UInt64)

  /// `true` if acknowledged data was lost.
  public var isDamage: Bool {
    if case .tornEnd = self { false } else { true }
  }

  /// Returns `true` if acknowledged data of a part may have been lost.
  func mayConcern(_ part: String) -> Bool {
    if case .damagedState(_, _, let parts?) = self { parts.contains(part) } else { isDamage }
  }

  /// The file with the difference; nil if there is none.
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
    case .tornEnd(let file, let offset): "\(file) is incomplete from byte \(offset) on: the rest is ignored"
    case .damagedLog(let file, let offset):
      "\(file) is damaged at byte \(offset): everything from there on is lost"
    case .damagedState(let file, let offset, []): "\(file) is damaged at byte \(offset), but no part is lost"
    case .damagedState(let file, let offset, let parts?):
      "\(file) is damaged at byte \(offset), and these parts are lost: \(parts.joined(separator: ", "))"
    case .damagedState(let file, let offset, nil):
      "\(file) is damaged at byte \(offset): all its parts are lost"
    case .unusedLog(let file): "\(file) is not used, because the entries before it cannot be read"
    case .foreignFile(let file): "\(file) belongs to another storage, and is not used"
    case .missingEntries(let entry): "the entries after entry \(entry) are missing: no file contains them"
    }
  }
}
