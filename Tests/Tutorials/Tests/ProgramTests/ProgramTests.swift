import Foundation
import Testing

@Suite("The programs of the tutorials")
struct ProgramTests {
  private static let steps = Tutorial.all.flatMap(\.steps)
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  @Test func `each step that says that something is printed is a program here`() throws {
    let programs = try FileManager.default.contentsOfDirectory(atPath: Self.package.appending(path: "Sources").path)
    #expect(Self.steps.filter { !$0.outputs.isEmpty }.map(\.name).sorted() == programs.sorted())
  }

  @Test(arguments: steps.filter { !$0.outputs.isEmpty })
  func `a program is built from the files of its step, and prints what the text says`(_ step: Tutorial.Step) throws {
    let built = Self.package.appending(path: "Sources/\(step.name)")
    let links = try FileManager.default.contentsOfDirectory(at: built, includingPropertiesForKeys: nil)
    let files = Dictionary(uniqueKeysWithValues: links.map { ($0.lastPathComponent, $0.resolvingSymlinksInPath()) })
    #expect(files == step.files.filter { !$0.key.hasSuffix("Tests.swift") && $0.key != "Package.swift" })

    try inEmptyFolder { folder in
      for output in step.outputs { try #expect(run(program(of: step), in: folder) == output) }
      let page = folder.appending(path: "birds.html")
      #expect(FileManager.default.fileExists(atPath: page.path) == (step.name == "birds-14"))
    }
  }

  @Test(arguments: steps.filter { $0.file == "Package.swift" })
  func `a manifest is one`(_ step: Tutorial.Step) throws {
    try inEmptyFolder { folder in
      try FileManager.default.copyItem(at: step.files[step.file]!, to: folder.appending(path: step.file))
      let swift = URL(filePath: "/usr/bin/env")
      let text = try run(swift, "swift", "package", "--disable-sandbox", "dump-package", in: folder)
      #expect(text.contains("\"name\" : \"ArborTesting\"") || text.contains("\"ArborTesting\","))
    }
  }

  /// The program of a step, which is built beside the tests: that of the last one has the name of the reader's package.
  private func program(of step: Tutorial.Step) throws -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let tests = try #require(bundle?.bundleURL ?? Bundle.main.executableURL)
    let name = ["birds-14": "Birds", "todo-list-10": "Todos"][step.name] ?? step.name
    return tests.deletingLastPathComponent().appending(path: name)
  }

  private func inEmptyFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "Arbor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  /// Runs a program until it ends.
  ///
  /// - Returns: All that it has printed.
  private func run(_ program: URL, _ arguments: String..., in folder: URL) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text
  }
}
