internal import Arbor
package import Testing

/// Takes the reports that a test causes, on whichever thread, so that a passing run writes none to standard error.
package struct ExpectedReports: TestTrait, SuiteTrait, TestScoping {
  private struct Registry: Sendable {
    var sentences: [Int: [String]] = [:]
    var lastNumber = 0
  }

  private static let registry = Protected(Registry())

  private let sentences: [String]

  package var isRecursive: Bool { false }

  fileprivate init(_ sentences: [String]) {
    self.sentences = sentences
  }

  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let number = ExpectedReports.begin(sentences)
    defer { ExpectedReports.end(number) }
    try await function()
  }

  /// Takes reports that contain one of some sentences, until the number that is returned is ended.
  package static func begin(_ sentences: [String]) -> Int {
    ReportSink.take.withLock { $0 = take }
    return registry.withLock { registry in
      registry.lastNumber += 1
      registry.sentences[registry.lastNumber] = sentences
      return registry.lastNumber
    }
  }

  package static func end(_ number: Int) {
    registry.withLock { $0.sentences[number] = nil }
  }

  @Sendable
  private static func take(_ line: String) -> Bool {
    registry.withLock { registry in
      registry.sentences.values.contains { sentences in sentences.contains { line.contains($0) } }
    }
  }
}

extension Trait where Self == ExpectedReports {
  /// Takes the reports that contain one of some sentences while the test or the suite runs. Any other is written.
  package static func reports(_ sentences: String...) -> Self { ExpectedReports(sentences) }
}
