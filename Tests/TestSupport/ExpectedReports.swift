internal import Arbor
package import Testing

/// Captures the reports that a test causes, on any thread, so that a passing run writes none to standard error.
package struct ExpectedReports: TestTrait, SuiteTrait, TestScoping {
  private struct Expectation: Sendable {
    let sentences: [String]
    var taken: [String] = []
  }

  private struct Registry: Sendable {
    var expectations: [Int: Expectation] = [:]
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
    defer { _ = ExpectedReports.end(number) }
    try await function()
  }

  /// Returns the reports that a body causes and that contain a sentence which no other test's reports contain.
  package static func collect(_ sentence: String, _ body: () throws -> Void) rethrows -> [String] {
    let number = begin([sentence])
    do {
      try body()
    } catch {
      _ = end(number)
      throw error
    }
    return end(number)
  }

  /// Captures reports that contain one of some sentences, until you end the returned number.
  ///
  /// - Neither it nor ``end(_:)`` is inlined: around an `await`, optimized code reads the thread's number for the lock
  ///   from the memory of the previous thread, which may have ended.
  @inline(never)
  package static func begin(_ sentences: [String]) -> Int {
    ReportSink.take.withLock { $0 = take }
    return registry.withLock { registry in
      registry.lastNumber += 1
      registry.expectations[registry.lastNumber] = Expectation(sentences: sentences)
      return registry.lastNumber
    }
  }

  /// Stops capturing reports for a number.
  ///
  /// - Returns: The captured reports.
  @inline(never)
  package static func end(_ number: Int) -> [String] {
    registry.withLock { $0.expectations.removeValue(forKey: number)?.taken ?? [] }
  }

  @Sendable
  private static func take(_ line: String) -> Bool {
    registry.withLock { registry in
      var isTaken = false
      // Several simultaneous tests may expect the same kind.
      for (number, expectation) in registry.expectations where expectation.sentences.contains(where: line.contains) {
        registry.expectations[number]?.taken.append(line)
        isTaken = true
      }
      return isTaken
    }
  }
}

extension Trait where Self == ExpectedReports {
  /// Captures the reports that contain one of some sentences while the test or the suite runs. All others are written.
  package static func reports(_ sentences: String...) -> Self { ExpectedReports(sentences) }
}
