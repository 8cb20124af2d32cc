// Sanitizers use additional memory.
#if os(Linux) && !TSAN && !ASAN
  import Arbor
  import ArborDevTools
  import Foundation
  import TestSupport
  import Testing

  @Suite("Memory of files")
  struct FileMemoryTests {
    #if DEBUG
      static let count = 10_000
      static let loadedCount = 10_000
    #else
      static let count = 1_000_000
      static let loadedCount = 200_000
    #endif

    @Test func `entries that are written and read are not kept`() async {
      await #expect(processExitsWith: .success) {
        try Recordings.withFolder { folder in
          let url = folder.appending(path: "a.arbor.json")
          func write(_ count: Int) throws {
            let writer = try RecordingFileWriter(Recordings.header, to: url)
            for number in 0..<count { try writer.append(Recordings.small(number)) }
            try writer.finish(Recordings.trailer)
          }
          func read() throws -> Int {
            let reader = try RecordingFileReader(url)
            while try reader.next() != nil {}
            _ = try reader.trailer()
            return reader.count
          }
          try write(1000)
          #expect(try read() == 1000)
          let before = try residentMegabytes()
          try write(FileMemoryTests.count)
          let written = try residentMegabytes()
          #expect(try read() == FileMemoryTests.count)
          let after = try residentMegabytes()
          #expect(written - before < 5, "\(before), then \(written) MB")
          #expect(after - before < 5, "\(before), then \(after) MB")
        }
      }
    }

    private struct State: Codable, Sendable {
      var counts = [Int](repeating: 0, count: 1000)
    }

    private enum Action: Codable, Sendable {
      case add(Int)
    }

    @Test func `loaded actions keep no states and no trees`() async {
      await #expect(processExitsWith: .success) {
        try Recordings.withFolder { folder in
          let url = folder.appending(path: "a.arbor.json")
          let reducer: Reducer<State, Action> = { state, action in
            if case .add(let number) = action { state.counts[number % 1000] += 1 }
          }
          func write(_ count: Int) throws {
            var header = Recordings.header
            (header.state, header.action) = ("State", "Action")
            header.base = RecordedObject([.init("1", try RecordedValue(encoding: State()))])
            let writer = try RecordingFileWriter(header, to: url)
            for number in 0..<count {
              var entry = Recordings.small(number + 1)
              entry.action = try RecordedValue(encoding: Action.add(number))
              entry.changes = [
                RecordingChange([.key("1"), .key("counts"), .index(number % 1000)], RecordedValue(number / 1000 + 1))
              ]
              try writer.append(entry)
            }
            try writer.finish(RecordingDocument.Trailer(stores: [], position: count))
          }
          func read(_ count: Int) throws -> Recording<State, Action> {
            try write(count)
            return try Recording(contentsOf: url, checkpointInterval: 1000, reducer: reducer)
          }
          _ = try read(2000)
          let before = try residentMegabytes()
          let recording = try read(FileMemoryTests.loadedCount)
          let after = try residentMegabytes()
          #expect(recording.count == FileMemoryTests.loadedCount)
          #expect(recording.state.counts.allSatisfy { $0 == FileMemoryTests.loadedCount / 1000 })
          // An entry, and 8 bytes of the kept state for each thousand entries.
          #expect(after - before < 5 + FileMemoryTests.loadedCount * 200 / 1_048_576, "\(before), then \(after) MB")
        }
      }
    }
  }
#endif
