/// A finding in the files of a storage that is not as it was written.
public enum FolderFinding: Hashable, Sendable {
  /// The end of a log that is not whole, from an offset in bytes on, as a crash leaves entries that were never
  /// acknowledged. Damage of the very last entries looks the same: no later one says that they were.
  case tornEnd(file: String, offset: Int)

  /// Bytes of a log that are not what was written, from an offset on. The entries before are used, those behind are not.
  case damagedLog(file: String, offset: Int)

  /// A state with bytes that are not what was written, and the names of the parts that are lost by it; nil if all are.
  case damagedState(file: String, parts: [String]?)

  /// Entries that were acknowledged, and are in no file.
  case missingEntries(after: UInt64)

  /// `true` if something is lost that was acknowledged.
  public var isDamage: Bool {
    if case .tornEnd = self { false } else { true }
  }
}
