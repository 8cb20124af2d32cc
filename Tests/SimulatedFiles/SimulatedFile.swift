package import TestSupport

/// The bytes of a simulated file, and those that are durable.
package final class SimulatedFile {
  /// The unit in which a disk writes.
  private static let sector = 512

  package private(set) var bytes: [UInt8]
  private var durable: [UInt8]

  /// A change that has not been synced yet.
  private enum Change {
    case write([UInt8], offset: Int)
    case truncation(length: Int)
  }

  private var changes: [Change] = []

  package init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    durable = bytes
  }

  init(copying file: SimulatedFile) {
    (bytes, durable, changes) = (file.bytes, file.durable, file.changes)
  }

  package func append(_ new: [UInt8]) {
    changes.append(.write(new, offset: bytes.count))
    bytes += new
  }

  package func truncate(to length: Int) {
    changes.append(.truncation(length: length))
    shorten(&bytes, to: length)
  }

  package func sync() {
    for change in changes {
      switch change {
      case .write(let new, let offset): write(new, at: offset, to: &durable) { _ in true }
      case .truncation(let length): shorten(&durable, to: length)
      }
    }
    changes = []
  }

  /// Makes a sync fail: the system treats the unwritten bytes as written, and never writes them.
  func failToSync() {
    changes = []
  }

  /// Returns the bytes after a crash. Each unsynced write remains completely, not at all, with its beginning, or with
  /// any of its sectors. Each unsynced truncation happened completely or not at all.
  ///
  /// - Missing bytes before a remaining sector are zeros, as when the length of the file was written before its bytes.
  package func afterCrash(choosing random: inout SplitMix64) -> [UInt8] {
    var (bytes, source) = (durable, random)
    for change in changes {
      guard case .write(let new, let offset) = change else {
        if case .truncation(let length) = change, Bool.random(using: &source) { shorten(&bytes, to: length) }
        continue
      }
      let choice = Int.random(in: 0..<5, using: &source)
      let first = Int.random(in: 0..<8, using: &source)
      var chances = SplitMix64(seed: source.next())
      switch choice {
      case 0: lengthen(&bytes, to: offset + new.count)
      case 1: write(new, at: offset, to: &bytes) { _ in true }
      case 2: write(new, at: offset, to: &bytes) { $0 <= first }
      case 3: write(new, at: offset, to: &bytes) { _ in Bool.random(using: &chances) }
      default: break
      }
    }
    random = source
    return bytes
  }

  /// Writes the remaining sectors of new bytes, counted from the first sector that they touch.
  private func write(
    _ new: [UInt8],
    at offset: Int,
    to target: inout [UInt8],
    _ isThere: (_ sector: Int) -> Bool
  ) {
    var place = 0
    while place < new.count {
      let sector = (offset + place) / Self.sector
      let end = min((sector + 1) * Self.sector - offset, new.count)
      if isThere(sector - offset / Self.sector) {
        lengthen(&target, to: offset + end)
        target.replaceSubrange((offset + place)..<(offset + end), with: new[place..<end])
      }
      place = end
    }
  }

  private func shorten(_ target: inout [UInt8], to length: Int) {
    target.removeSubrange(min(length, target.count)...)
  }

  private func lengthen(_ target: inout [UInt8], to length: Int) {
    if target.count < length { target += Array(repeating: 0, count: length - target.count) }
  }
}
