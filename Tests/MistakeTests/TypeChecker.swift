import Foundation

#if os(Linux) || os(macOS)
  /// The compiler's type checker, run on sources that import the modules under test.
  struct TypeChecker {
    /// The errors of a source, in order of their report; empty if it compiles.
    struct Verdict {
      let isAccepted: Bool
      let errors: [Diagnosis]

      /// The compiler's full output.
      let text: String
    }

    /// An error, with the line of the source at which it is reported.
    struct Diagnosis {
      let line: Int
      let message: String
    }

    /// The modules of this build are not next to the test program.
    struct ModulesNotFound: Error {}

    private let modules: URL

    /// Makes a type checker for the modules that this test program was built with.
    init() throws {
      let programs = [Bundle.main.executableURL] + Bundle.allBundles.map(\.bundleURL)
      let folders = programs.compactMap(\.self).flatMap { program in
        sequence(first: program) { $0.pathComponents.count > 1 ? $0.deletingLastPathComponent() : nil }.prefix(5)
      }
      let candidates = folders.flatMap { folder in [folder.appending(path: "Modules"), folder] }
      let found = candidates.first { folder in
        FileManager.default.fileExists(atPath: folder.appending(path: "Arbor.swiftmodule").path)
      }
      guard let found else { throw ModulesNotFound() }
      modules = found
    }

    /// Checks the types of a source in a separate process.
    func check(_ source: String) async throws -> Verdict {
      try await check(["Source.swift": source])
    }

    /// Checks the types of the files of a module, by their names, in a separate process.
    func check(_ sources: [String: String]) async throws -> Verdict {
      let folder = FileManager.default.temporaryDirectory.appending(path: "Arbor-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let output = folder.appending(path: "output.txt")
      let files = sources.keys.sorted().map { folder.appending(path: $0) }
      for file in files {
        try sources[file.lastPathComponent]!.write(to: file, atomically: true, encoding: .utf8)
      }
      try "".write(to: output, atomically: true, encoding: .utf8)

      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      let options = ["-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules.path]
      process.arguments = ["swiftc"] + options + files.map(\.path)
      // A file, not a pipe, which would fill up without a reader.
      process.standardError = try FileHandle(forWritingTo: output)
      let status = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { process in continuation.resume(returning: process.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
      }
      let text = try String(contentsOf: output, encoding: .utf8)
      return Verdict(
        isAccepted: status == 0, errors: text.split(separator: "\n").compactMap(Diagnosis.init), text: text)
    }
  }

  extension TypeChecker.Diagnosis {
    /// Reads a line of the compiler's report, `file:line:column: error: message`; nil if it is not an error.
    init?(_ text: Substring) {
      guard let error = text.range(of: ": error: ") else { return nil }
      let place = text[..<error.lowerBound].split(separator: ":")
      guard place.count > 2, let line = Int(place[place.count - 2]) else { return nil }
      self.init(line: line, message: String(text[error.upperBound...]))
    }
  }
#endif
