import Foundation
import Testing

#if (os(Linux) || os(macOS)) && !TSAN && !ASAN
  @Suite("The tutorials", .serialized)
  struct TutorialTests {
    @Test func `tutorials exist, and each file belongs to a step`() throws {
      #expect(Tutorial.all.count >= 2)
      let folders = Set(Tutorial.all.map(\.code))
      let files = try folders.flatMap { try FileManager.default.contentsOfDirectory(atPath: $0.path) }
      #expect(files.sorted() == Tutorial.all.flatMap(\.steps).map { "\($0.name).swift" }.sorted())
    }

    @Test(arguments: Tutorial.all.flatMap(\.steps).filter { $0.file != "Package.swift" })
    func `the files of each step compile`(_ step: Tutorial.Step) async throws {
      let verdict = try await TypeChecker().check(step.files.compactMapValues(Self.source))
      #expect(verdict.isAccepted, "\(verdict.text)")
      #expect(!verdict.text.contains("warning:"), "\(verdict.text)")
    }

    /// The source as a file of one module; nil if it is a manifest.
    private static func source(_ file: URL) throws -> String? {
      let source = try String(contentsOf: file, encoding: .utf8)
      return source.hasPrefix("// swift-tools-version") ? nil : source.replacing(/@testable import .*/, with: "")
    }
  }
#endif
