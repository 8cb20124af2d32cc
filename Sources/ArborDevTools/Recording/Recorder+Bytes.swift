internal import Arbor
internal import Dispatch
internal import Foundation

extension Recorder {
  /// Measures the memory of the last full block, and commits the oldest blocks if all of them use too much.
  ///
  /// - Returns: The blocks and states to release.
  func measureLastFullBlock(in content: inout Content) -> Recording<State, Action>.Committed {
    measureBlock(at: content.recording!.placeOfBlock(content.recording!.blocks.count - 2), in: &content)
  }

  /// Measures the full blocks that weren't measured because another moment was shown.
  func measureFullBlocks() {
    let released = content.withLock { content in
      var released = Recording<State, Action>.Committed()
      for place in content.recording?.unmeasuredFullBlocks ?? [] {
        released += measureBlock(at: place, in: &content)
      }
      return released
    }
    withExtendedLifetime(released) {}
  }

  /// Measures the memory of a full block if it still exists.
  ///
  /// - If that takes more than a multiplication, it isn't done on the tree's queue.
  private func measureBlock(at place: Int, in content: inout Content) -> Recording<State, Action>.Committed {
    // A copy of the recording would make its next change copy all blocks.
    guard let index = content.recording!.indexOfFullBlock(at: place) else { return Recording.Committed() }
    let block = content.recording!.blocks[index]
    let inline = block.count * (MemoryLayout<ActionNote>.stride + MemoryLayout<Action>.stride)
    if OutOfLineBytes.areZero(for: Action.self), !block.hasDetails {
      content.bytes += inline
      content.recording!.blocks[index].bytes = inline
      return content.commitExcess(over: byteLimit)
    }
    measuring.async { [self] in
      // The block is only retrieved now: otherwise, a slow queue would retain blocks that were committed long ago.
      guard let block = self.content.withLock({ $0.fullBlock(at: place) }) else { return }
      let bytes = inline + Recorder.outOfLineBytes(of: block)
      let released = self.content.withLock { $0.noteBytes(bytes, ofBlockAt: place, limit: byteLimit) }
      withExtendedLifetime(released) {}
    }
    return Recording.Committed()
  }

  /// Waits until all full blocks are measured.
  package func finishMeasuring() {
    takeNotesInTurn()
    measuring.sync {}
  }

  /// Returns the approximate memory that the entries of a block refer to.
  private static func outOfLineBytes(of block: Recording<State, Action>.Block) -> Int {
    block.entries.reduce(0) { sum, entry in
      var estimate = OutOfLineBytes()
      estimate.add(entry.action)
      return sum + estimate.bytes
    }
  }
}

extension Recorder.Content {
  /// Returns the full block that begins at a place; nil if it was removed, or while another moment is shown.
  fileprivate func fullBlock(at place: Int) -> Recording<State, Action>.Block? {
    guard present == nil, let recording, let index = recording.indexOfFullBlock(at: place) else { return nil }
    return recording.blocks[index]
  }

  /// Sets the memory of a block, and commits the oldest blocks if all of them use too much. Returns the values to
  /// release.
  ///
  /// - While another moment is shown, it does nothing, because the actions of that recording must stay.
  fileprivate mutating func noteBytes(
    _ bytes: Int,
    ofBlockAt place: Int,
    limit: Int
  ) -> Recording<State, Action>.Committed {
    guard present == nil, let index = recording?.indexOfFullBlock(at: place) else {
      return Recording.Committed()
    }
    self.bytes += bytes - recording!.blocks[index].bytes
    recording!.blocks[index].bytes = bytes
    return commitExcess(over: limit)
  }

  /// Commits the oldest blocks if all of them use more than a number of bytes. Returns the values to release.
  fileprivate mutating func commitExcess(over limit: Int) -> Recording<State, Action>.Committed {
    let interval = recording!.checkpointInterval
    let first = recording!.committed / interval
    var (left, end) = (bytes, first)
    while left > limit, end < recording!.blocks.count - 1 {
      left -= recording!.blocks[end].bytes
      end += 1
    }
    guard end > first else { return Recording.Committed() }
    let released = recording!.commitOldest(end * interval - recording!.committed)
    for block in released.blocks { bytes -= block.bytes }
    return released
  }
}

/// An estimate of the memory that values refer to: texts, collections and their contents.
///
/// - Objects aren't included, because other values may share them.
struct OutOfLineBytes {
  /// The number of parts that may still be visited. The parts of collections beyond it count as 16 bytes each.
  private var budget = 1_000
  private(set) var bytes = 0

  /// Returns `true` if values of a type refer to no memory.
  static func areZero<Value>(for _: Value.Type) -> Bool { _isPOD(Value.self) }

  mutating func add(_ value: Any) {
    budget -= 1
    switch value {
    case let text as String:
      // Up to 15 bytes are stored in place.
      if text.utf8.count > 15 { bytes += 32 + text.utf8.count }
    case let data as any DataProtocol: bytes += 32 + data.count
    case is any Numeric, is Bool, is Never: break
    default: addParts(of: value)
    }
  }

  private mutating func addParts(of value: Any) {
    guard !(type(of: value) is AnyClass) else { return }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .dictionary, .set: bytes += 32 + 16 * mirror.children.count
    default: break
    }
    for part in mirror.children {
      guard budget > 0 else { return }
      add(part.value)
    }
  }
}
