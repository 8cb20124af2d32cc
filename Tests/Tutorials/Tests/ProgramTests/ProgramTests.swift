import Foundation
import Testing

@Suite("The programs of the tutorials")
struct ProgramTests {
  private static let steps = Tutorial.all.flatMap(\.steps)
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL
  private static let notesPage = package.appending(
    path: "../../Sources/ArborRequests/ArborRequests.docc/ANotesProgramOnOnePage.md")

  @Test func `each step with printed output is a program here`() throws {
    let programs = try FileManager.default.contentsOfDirectory(atPath: Self.package.appending(path: "Sources").path)
    #expect(Self.steps.filter { !$0.outputs.isEmpty }.map(\.name).sorted() == programs.sorted())
  }

  @Test(arguments: steps.filter { !$0.outputs.isEmpty })
  func `a program is built from the files of its step, and prints the lines in the text`(_ step: Tutorial.Step) throws {
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

  @Test(arguments: steps.filter { !$0.outputs.isEmpty || $0.file.hasSuffix("Tests.swift") })
  func `the reader's package at a step can be built`(_ step: Tutorial.Step) throws {
    var files = step.files
    let declared = files.removeValue(forKey: "Package.swift")
    let manifest = try #require(declared)
    let name = step.name.hasPrefix("birds") ? "Birds" : "Todos"
    let folders = ["Tests/\(name)Tests", "Sources/\(name)"]
    try expectPackage(
      files.map { file, url in ("\(folders[file.hasSuffix("Tests.swift") ? 0 : 1])/\(file)", url) }
        + [("Package.swift", manifest)])
  }

  @Test func `the package of the README is valid`() throws {
    try expectPackage(
      ["Package.swift", "Sources/App/main.swift"].map { ($0, Self.package.appending(path: "Readme/\($0)")) })
  }

  @Test(arguments: [false, true])
  func `the package of the article Getting started is valid, with its test and without`(hasTest: Bool) throws {
    let sources = Self.package.appending(path: "GettingStarted")
    var manifest = try String(
      contentsOf: Self.package.appending(path: "Readme/Package.swift"), encoding: .utf8)
    let dependencies = #"["App", .product(name: "ArborTesting", package: "Arbor")]"#
    let target = #".testTarget(name: "AppTests", dependencies: \#(dependencies))"#
    let article = Self.package.appending(path: "../../Sources/Arbor/Arbor.docc/GettingStarted.md")
    #expect(try String(contentsOf: article, encoding: .utf8).replacing("\n", with: " ").contains(target))
    if hasTest { manifest = manifest.replacing("\"Arbor\")])\n  ]", with: "\"Arbor\")]),\n\(target)\n  ]") }
    #expect(manifest.contains("testTarget") == hasTest)
    try inEmptyFolder { folder in
      let changed = folder.appending(path: "Package.swift")
      try manifest.write(to: changed, atomically: true, encoding: .utf8)
      try expectPackage(
        (["Sources/App/App.swift", "Sources/App/main.swift"] + (hasTest ? ["Tests/AppTests/AppTests.swift"] : []))
          .map { ($0, sources.appending(path: $0)) } + [("Package.swift", changed)])
    }
  }

  @Test(arguments: [
    ("Readme", "0 to do\n0 to do\n1 to do\n2 to do\n[\"Water the tree\", \"Sweep the leaves\"]\n"),
    ("App", "[]\n[\"Water the tree\"]\n1\n"),
  ])
  func `the programs of the README and of Getting started print the documented output`(
    name: String, output: String
  ) throws {
    let program = try built(name)
    try inEmptyFolder { folder in try #expect(run(program, in: folder) == output) }
  }

  @Test func `the page of the notes program shows each line of a valid package`() throws {
    let files = [
      "Package.swift", "Sources/Notes/NoteServer.swift", "Sources/Notes/NoteRequests.swift",
      "Sources/Notes/Notebook.swift", "Sources/Notes/main.swift", "Tests/NotesTests/NotesTests.swift",
    ].map { ($0, Self.package.appending(path: "Notes/\($0)")) }
    let written = try files.flatMap { try lines(of: String(contentsOf: $0.1, encoding: .utf8)) }
    #expect(try blocks("swift", of: Self.notesPage).flatMap(lines) == written)
    try expectPackage(files)
  }

  @Test func `the notes program prints the lines on its page, on both days`() throws {
    let days = try blocks("text", of: Self.notesPage).map(lines).filter { $0.contains { $0.hasPrefix("> ") } }
    #expect(days.count == 2)
    let program = try built("Notes")
    try inEmptyFolder { folder in
      for day in days {
        let typed = day.filter { $0.hasPrefix("> ") }.map { "\($0.dropFirst(2))\n" }.joined()
        let printed = day.filter { !$0.hasPrefix("> ") }.map { "\($0)\n" }.joined()
        try #expect(run(program, typing: typed, in: folder) == printed)
      }
    }
  }

  private func blocks(_ language: String, of page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8)
      .components(separatedBy: "```\(language)\n")
      .dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
  }

  /// Returns the lines without their indentation and without empty ones.
  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Expects that files, by their paths, form a package that can be built next to a clone of Arbor.
  private func expectPackage(_ files: [(path: String, file: URL)]) throws {
    try inEmptyFolder { place in
      let clone = Self.package.appending(path: "../..").standardizedFileURL
      try FileManager.default.createSymbolicLink(at: place.appending(path: "Arbor"), withDestinationURL: clone)
      let package = place.appending(path: "Package")
      for (path, file) in files {
        let copy = package.appending(path: path)
        try FileManager.default.createDirectory(
          at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(contentsOf: file).write(to: copy)
      }
      let swift = URL(filePath: "/usr/bin/env")
      let text = try run(swift, "swift", "package", "--disable-sandbox", "describe", in: package)
      #expect(text.contains("Type: executable"))
    }
  }

  /// The program of a step, built next to the tests. The last step's program has the name of the reader's package.
  private func program(of step: Tutorial.Step) throws -> URL {
    try built(["birds-14": "Birds", "todo-list-10": "Todos"][step.name] ?? step.name)
  }

  private func built(_ name: String) throws -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let tests = try #require(bundle?.bundleURL ?? Bundle.main.executableURL)
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
  /// - Returns: Its full output.
  private func run(
    _ program: URL,
    _ arguments: String...,
    typing typed: String = "",
    in folder: URL
  ) throws -> String {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = output
    try input.fileHandleForWriting.write(contentsOf: Data(typed.utf8))
    try input.fileHandleForWriting.close()
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text
  }
}
