// Sanitizers have memory of their own.
#if os(Linux) && !TSAN && !ASAN
  import ArborDevTools
  import Foundation
  import TestSupport
  import Testing

  @Suite("Memory of files")
  struct FileMemoryTests {
    #if DEBUG
      static let count = 10_000
    #else
      static let count = 1_000_000
    #endif

    @Test func `Entries that are written and read are not kept`() async {
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
  }
#endif
