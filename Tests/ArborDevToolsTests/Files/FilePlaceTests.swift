import ArborDevTools
import Foundation
import Testing

@Suite("Files of recordings on the disk")
struct FilePlaceTests {
  @Test func `a file only appears in its place when it is complete`() throws {
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

  @Test func `an unfinished file leaves no trace`() throws {
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

  @Test func `a place where no file can be is an error, and so is a place without a file`() throws {
    try Recordings.withFolder { folder in
      let missing = folder.appending(path: "missing/a.arbor.json")
      let error = #expect(throws: RecordingFileError.self) { try RecordingFileWriter(Recordings.header, to: missing) }
      guard case .system? = error else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(throws: RecordingFileError.self) { try RecordingFileReader(missing) }
      // There is a folder in the file's place.
      #expect(throws: RecordingFileError.self) { try RecordingFileWriter(Recordings.header, to: folder) }
      #expect(throws: RecordingFileError.self) { try RecordingFileReader(folder) }
    }
  }

  @Test func `a sink that accepts no more bytes is an error`() throws {
    struct Full: Error {}
    #expect(throws: RecordingFileError.self) {
      try RecordingFileWriter(Recordings.header) { _ in throw Full() }
    }
    try Recordings.withFolder { folder in
      let url = folder.appending(path: "a")
      try Data().write(to: url)
      let readOnly = try FileHandle(forReadingFrom: url)
      #expect(throws: RecordingFileError.self) { try RecordingFileWriter(Recordings.header, to: readOnly) }
    }
  }

  /// Returns the mode of a file; for a link, the mode of the link itself.
  private func mode(of url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func write(to url: URL) throws {
    let writer = try RecordingFileWriter(Recordings.header, to: url)
    try writer.finish(Recordings.trailer)
  }

  @Test func `a new file can only be read by its owner, and one that is replaced keeps its mode`() throws {
    try Recordings.withFolder { folder in
      let url = folder.appending(path: "a.arbor.json")
      try write(to: url)
      #expect(try mode(of: url) == 0o600)
      for mode in [0o640, 0o444] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        try write(to: url)
        #expect(try self.mode(of: url) == mode)
      }
    }
  }

  @Test func `a link or a pipe is not replaced, and the target of a link is unchanged`() throws {
    try Recordings.withFolder { folder in
      let (file, link, pipe) = (folder.appending(path: "a"), folder.appending(path: "b"), folder.appending(path: "c"))
      try Data("precious".utf8).write(to: file)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(mkfifo(pipe.path, 0o600) == 0)
      for place in [link, pipe] {
        let sentence = "\(place.path) is a folder, a link or a device, and is not replaced"
        #expect(throws: RecordingFileError.system(sentence)) { try write(to: place) }
        #expect(throws: RecordingFileError.system(sentence)) { try TraceMonitor(writingTo: place) }
      }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
      #expect(try Data(contentsOf: file) == Data("precious".utf8))
      #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["a", "b", "c"])
    }
  }

  @Test func `a link that was created in the file's place meanwhile is not replaced either`() throws {
    try Recordings.withFolder { folder in
      let url = folder.appending(path: "a.arbor.json")
      let writer = try RecordingFileWriter(Recordings.header, to: url)
      try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "elsewhere")
      #expect(throws: RecordingFileError.self) { try writer.finish(Recordings.trailer) }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: url.path) == "elsewhere")
    }
  }

  @Test func `a new trace's file is only for its owner, and an existing one keeps its mode when it is emptied`()
    throws
  {
    try Recordings.withFolder { folder in
      let url = folder.appending(path: "a.trace")
      _ = try TraceMonitor(writingTo: url)
      #expect(try mode(of: url) == 0o600)
      try Data("old".utf8).write(to: url)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
      let monitor = try TraceMonitor(writingTo: url)
      monitor.flush()
      #expect(try mode(of: url) == 0o640)
      // Foundation leaks a buffer when it reads an empty file as a whole.
      let text = try FileHandle(forReadingFrom: url).readToEnd().map { String(decoding: $0, as: UTF8.self) }
      #expect(text?.contains("old") != true)
    }
  }

  @Test func `a file handle gets the same bytes`() throws {
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
