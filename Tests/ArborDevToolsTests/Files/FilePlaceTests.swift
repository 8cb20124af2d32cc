import ArborDevTools
import Foundation
import Testing

@Suite("Files of recordings on the disk")
struct FilePlaceTests {
  @Test func `A file is there when it is whole, and not before`() throws {
    try Recordings.withFolder { folder in
      let url = folder.appending(path: "a.arbor.json")
      try Data("old".utf8).write(to: url)
      let writer = try RecordingFileWriter(Recordings.header, to: url)
      for entry in Recordings.entries { try writer.append(entry) }
      #expect(try Data(contentsOf: url) == Data("old".utf8))
      try writer.finish(Recordings.trailer)
      let reader = try RecordingFileReader(url)
      while try reader.next() != nil {}
      #expect(reader.count == 3)
      #expect(try reader.trailer() == Recordings.trailer)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.arbor.json"])
    }
  }

  @Test func `A file that is not finished leaves nothing behind`() throws {
    try Recordings.withFolder { folder in
      let url = folder.appending(path: "a.arbor.json")
      try Data("old".utf8).write(to: url)
      do {
        let writer = try RecordingFileWriter(Recordings.header, to: url)
        try writer.append(Recordings.entries[0])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.arbor.json"])
      #expect(try Data(contentsOf: url) == Data("old".utf8))
    }
  }

  @Test func `A place where no file can be is an error, and so is one with none`() throws {
    try Recordings.withFolder { folder in
      let missing = folder.appending(path: "missing/a.arbor.json")
      let error = #expect(throws: RecordingFileError.self) { try RecordingFileWriter(Recordings.header, to: missing) }
      guard case .system? = error else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(throws: RecordingFileError.self) { try RecordingFileReader(missing) }
      // A folder stands where the file should.
      let writer = try RecordingFileWriter(Recordings.header, to: folder)
      #expect(throws: RecordingFileError.self) { try writer.finish(Recordings.trailer) }
      #expect(throws: RecordingFileError.self) { try RecordingFileReader(folder) }
    }
  }

  @Test func `What takes no bytes any more is an error`() throws {
    struct Full: Error {}
    #expect(throws: RecordingFileError.self) {
      try RecordingFileWriter(Recordings.header) { _ in throw Full() }
    }
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    #expect(throws: RecordingFileError.self) { try RecordingFileWriter(Recordings.header, to: full) }
  }

  @Test func `A handle gets the same bytes`() throws {
    try Recordings.withFolder { folder in
      let url = folder.appending(path: "a")
      try Data().write(to: url)
      let handle = try FileHandle(forWritingTo: url)
      let writer = try RecordingFileWriter(Recordings.header, to: handle)
      for entry in Recordings.entries { try writer.append(entry) }
      try writer.finish(Recordings.trailer)
      try handle.close()
      #expect(try Array(Data(contentsOf: url)) == Recordings.bytes(Recordings.entries, position: 2))
    }
  }
}
