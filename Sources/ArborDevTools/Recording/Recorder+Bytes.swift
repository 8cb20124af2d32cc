internal import Arbor
internal import Dispatch

extension Recorder {
  /// Measures the memory of a block that is full, and commits the oldest blocks if all take too much.
  func measureLastFullBlock(of recording: borrowing Recording<State, Action>) {
    let place = recording.origin + (recording.blocks.count - 2) * checkpointInterval
    let entries = recording.blocks[recording.blocks.count - 2].entries
    measuring.async { [self] in
      let bytes = Recorder.bytes(of: entries)
      let released = content.withLock { content in
        // While another moment is shown, what is shown stays.
        guard content.present == nil, var recording = content.recording.take() else { return [] }
        defer { content.recording = recording }
        let index = (place - recording.origin) / checkpointInterval
        guard place >= recording.origin, index < recording.blocks.count - 1 else { return [] }
        recording.blocks[index].bytes = bytes
        content.bytes += bytes
        var excess = 0
        var left = content.bytes
        while left > byteLimit, excess < recording.blocks.count - 1 {
          left -= recording.blocks[excess].bytes
          excess += 1
        }
        let released = recording.commitOldest(excess * checkpointInterval - recording.committed)
        for block in released { content.bytes -= block.bytes }
        return released
      }
      withExtendedLifetime(released) {}
    }
  }

  /// The memory of entries, about.
  private static func bytes(of entries: [Recording<State, Action>.Entry]) -> Int {
    let inline = entries.count * MemoryLayout<Recording<State, Action>.Entry>.stride
    guard !OutOfLineBytes.areZero(for: Action.self) || entries.contains(where: { $0.details != nil }) else {
      return inline
    }
    return entries.reduce(inline) { sum, entry in
      var estimate = OutOfLineBytes()
      estimate.add(entry.action)
      return sum + estimate.bytes
    }
  }
}
