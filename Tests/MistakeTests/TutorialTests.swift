import Foundation
import Testing

#if (os(Linux) || os(macOS)) && !TSAN && !ASAN
  @Suite("The tutorials", .serialized)
  struct TutorialTests {
    private static let steps: [URL] = {
      let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardizedFileURL
      let names = FileManager.default.subpaths(atPath: sources.path) ?? []
      return names.filter { $0.contains(".docc/") && $0.hasSuffix(".swift") }.sorted()
        .map { sources.appending(path: $0) }
    }()

    @Test func `there are tutorials`() {
      #expect(Self.steps.count >= 9)
    }

    @Test(arguments: steps)
    func `each step compiles`(_ step: URL) async throws {
      let verdict = try await TypeChecker().check(String(contentsOf: step, encoding: .utf8))
      #expect(verdict.isAccepted, "\(step.lastPathComponent): \(verdict.text)")
      #expect(!verdict.text.contains("warning:"), "\(step.lastPathComponent): \(verdict.text)")
    }
  }
#endif
