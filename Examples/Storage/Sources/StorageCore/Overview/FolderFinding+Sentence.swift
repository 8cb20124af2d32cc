import ArborPersistence

extension FolderFinding {
  /// The finding as a sentence: the file, the offset, and what that costs.
  var sentence: String {
    switch self {
    case .tornEnd(let file, let offset):
      // The last entries that were acknowledged look the same if they are damaged: nothing behind them says so.
      "\(file) is torn at byte \(offset.grouped): the rest is not whole, as a crash leaves what was never acknowledged"
    case .damagedLog(let file, let offset):
      "\(file) is damaged at byte \(offset.grouped): the entries from there on cannot be used"
    case .damagedState(let file, nil): "\(file) is damaged: no part can be read from it"
    case .damagedState(let file, []): "\(file) is damaged, but every part can be read from it"
    case .damagedState(let file, let parts?):
      "\(file) is damaged: \(parts.joined(separator: ", ")) cannot be read from it"
    case .unusedLog(let file): "\(file) is not used: what stands before it cannot be read"
    case .missingEntries(let entry):
      "entries after number \(entry.grouped) are missing: they were acknowledged, and are in no file"
    }
  }
}
