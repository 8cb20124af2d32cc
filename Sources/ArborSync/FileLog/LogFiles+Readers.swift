internal import ArborPersistence

extension LogFiles {
  /// Notes how far a client has read, and when.
  ///
  /// - Parameter position: The last position that was read; nil keeps the position of the last note, or 0 if there is none.
  func note(_ position: Int?, readBy client: LogClient, second: Int) throws {
    try attempt {
      let known = try readers().filter { $0.incarnation == client.incarnation }
      let position = position ?? known.map(\.position).max() ?? 0
      let new = LogFileName.reader(client.incarnation, position: position, second: second)
      let old = known.map { LogFileName.reader($0.incarnation, position: $0.position, second: $0.second) }
      if !old.contains(new) { _ = try folder.create(new.text) }
      for name in old where name != new { try folder.remove(name.text) }
    }
  }

  private func readers() throws(FileError) -> [(incarnation: UInt64, position: Int, second: Int)] {
    try names().compactMap {
      if case .reader(let incarnation, let position, let second) = $0 { (incarnation, position, second) } else { nil }
    }
  }

  /// Removes the files whose actions are all in the newest snapshot and were read by all clients with a note in these seconds.
  func compact(heardIn seconds: ClosedRange<Int>) throws {
    try attempt {
      let readers = try readers()
      for reader in readers where !seconds.contains(reader.second) {
        try folder.remove(LogFileName.reader(reader.incarnation, position: reader.position, second: reader.second).text)
      }
      let read = readers.filter { seconds.contains($0.second) }.map(\.position).min() ?? .max
      let limit = min(snapshotPosition ?? 0, read)
      if let last = segments.last, last.next > last.first, last.next - 1 <= limit { try beginSegment() }
      while segments.count > 1, segments[1].first - 1 <= limit {
        // One file at a time, so that a crash leaves no gap between the remaining ones.
        try folder.remove(LogFileName.actions(first: segments[0].first).text)
        try folder.sync(durability)
        segments.removeFirst()
      }
    }
  }
}
