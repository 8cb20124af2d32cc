import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

@Suite("Files that are kept aside")
struct KeptAsideTests {
  /// Returns a folder with a damaged log, and the name of the log.
  private func damagedFolder() async throws -> (folder: SimulatedFolder, log: String) {
    let folder = SimulatedFolder()
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.save(.add("milk"))
    try await notebook.save(.add("bread"))
    let log = try #require(try folder.names().first { $0.hasSuffix(".log") })
    var bytes = try #require(folder.bytes(of: log))
    bytes[FrameFileHeader.length + 30] ^= 1
    folder.put(bytes, as: log)
    return (folder, log)
  }

  private func keptFiles(in folder: SimulatedFolder) throws -> [String] {
    try folder.names().filter { $0.hasSuffix(".damaged") }
  }

  @Test(arguments: [FileError.Operation.write, .sync])
  func `P2 a copy that could not be completed is removed, and made again when that is possible`(
    failing: FileError.Operation
  ) async throws {
    let (folder, log) = try await damagedFolder()
    folder.failure = { _, operation in operation == failing ? .noSpace : nil }
    await #expect(throws: StorageError.file(FileError(failing, KeptAside.name(of: log), .noSpace))) {
      try await OpenNotebook(in: folder)
    }
    #expect(try keptFiles(in: folder) == [])
    folder.failure = { _, _ in nil }
    let notebook = try await OpenNotebook(in: folder)
    #expect(notebook.report.keptFiles == [KeptAside.name(of: log)])
    #expect(try keptFiles(in: folder) == [KeptAside.name(of: log)])
  }

  @Test func `P2 a copy left by a process that ended early is made durable`() async throws {
    let (folder, log) = try await damagedFolder()
    let bytes = try #require(folder.bytes(of: log))
    try folder.create(KeptAside.name(of: log)).append(bytes)
    _ = try await OpenNotebook(in: folder)
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      #expect(folder.afterCrash(choosing: &random).bytes(of: KeptAside.name(of: log)) == bytes)
    }
  }

  @Test func `P2 a partial copy left by a process stays, and the new copy gets the next name`() async throws {
    let (folder, log) = try await damagedFolder()
    folder.put([1, 2, 3], as: KeptAside.name(of: log))
    let notebook = try await OpenNotebook(in: folder)
    #expect(notebook.report.keptFiles == [KeptAside.name(of: log, number: 2)])
    #expect(folder.bytes(of: KeptAside.name(of: log)) == [1, 2, 3])
  }
}
