import Arbor
import ArborTesting
import Testing

@Suite("Failures in Swift Testing")
struct SwiftTestingRunnerTests {
  /// The issues that a body records, all of them known.
  private static func issues(_ body: () -> Void) -> [Issue] {
    let seen = Protected<[Issue]>([])
    withKnownIssue(isIntermittent: true, body) {
      true
    } matching: { issue in
      seen.withLock { $0.append(issue) }
      return true
    }
    return seen.withLock { $0 }
  }

  @Test func `a failure is recorded once, at the caller's line, with its text`() throws {
    let line = #line + 1
    let place = SourcePlace.here()
    let issues = Self.issues { TestRunner.record(.example, at: place) }
    #expect(issues.count == 1)
    let issue = try #require(issues.first)
    let location = try #require(issue.sourceLocation)
    #expect(location.fileID == #fileID)
    #expect(location.filePath == #filePath)
    #expect(location.line == line)
    #expect(location.column == Int(place.column))
    #expect(issue.comments.map(\.rawValue) == [TestFailure.example.text])
    #expect(issue.severity == .error)
    #expect(issue.isFailure)
  }

  @Test func `a warning is recorded, and is no failure`() throws {
    let issues = Self.issues { TestRunner.record(.warning, at: .here()) }
    #expect(issues.count == 1)
    let issue = try #require(issues.first)
    #expect(issue.severity == .warning)
    #expect(!issue.isFailure)
    #expect(issue.comments.map(\.rawValue) == [TestFailure.warning.text])
  }

  @Test func `where severities are unknown a failure is recorded all the same`() {
    let place = SourcePlace.here()
    let issues = Self.issues {
      let report = SwiftTestingReport(failure: .example, place: place)
      #expect(report.send(comment: Comment.self, location: SourceLocation.self, issue: Issue.self))
    }
    #expect(issues.map(\.comments) == [[Comment(rawValue: TestFailure.example.text)]])
    #expect(issues.map(\.sourceLocation?.line) == [Int(place.line)])
    #expect(issues.map(\.severity) == [.error])
  }

  @Test func `what a sink takes is not recorded`() {
    let issues = Self.issues {
      _ = TestRunner.catching { TestRunner.record(.example, at: .here()) }
    }
    #expect(issues.isEmpty)
  }

  @Test func `a failure in a detached task is recorded, though no test is current`() async {
    let place = SourcePlace.here()
    let issues = await Task.detached {
      #expect(Test.current == nil)
      return Self.issues { TestRunner.record(.example, at: place) }
    }.value
    #expect(issues.map(\.sourceLocation?.line) == [Int(place.line)])
    #expect(issues.map(\.comments) == [[Comment(rawValue: TestFailure.example.text)]])
  }

  @Test func `failures from many tasks are all recorded`() async {
    let seen = Protected(0)
    await withKnownIssue {
      await withTaskGroup { group in
        for _ in 0..<50 {
          group.addTask { TestRunner.record(.example, at: .here()) }
        }
      }
    } matching: { _ in
      seen.withLock { $0 += 1 }
      return true
    }
    #expect(seen.withLock { $0 } == 50)
  }

  @Test func `a place that cannot be is recorded nevertheless`() {
    let nowhere = SourcePlace(fileID: "Nowhere", filePath: "", line: 0, column: .max)
    let issues = Self.issues { TestRunner.record(.example, at: nowhere) }
    #expect(issues.map(\.sourceLocation?.fileID) == ["Tests/Nowhere"])
    #expect(issues.map(\.sourceLocation?.line) == [1])
  }

  @Test(arguments: TestLibraryName.Function.allCases)
  func `each function is found`(name: TestLibraryName.Function) {
    #expect(name.address != nil, "\(name.rawValue)")
  }

  @Test(arguments: TestLibraryName.Value.allCases)
  func `each type is found`(name: TestLibraryName.Value) throws {
    let type = try #require(name.type, "\(name.rawValue)")
    #expect(String(reflecting: type).hasPrefix("Testing."))
  }

  @Test func `Swift Testing is built for evolution`() {
    #expect(TestLibraryName.isEvolutionKept)
  }

  @Test func `where nobody runs tests a failure stops the program with its text`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      SwiftTestingRunnerTests.recordWithoutRunner(.example)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let place = Self.placeWithoutRunner
    #expect(text.contains("\(place.filePath):\(place.line): Fatal error: \(TestFailure.example.text)\n"), "\(text)")
  }

  @Test func `where nobody runs tests a warning is written to standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      SwiftTestingRunnerTests.recordWithoutRunner(.warning)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("\(Self.placeWithoutRunner): warning: \(TestFailure.warning.text)\n"), "\(text)")
  }

  private static let placeWithoutRunner = SourcePlace.here()

  private static func recordWithoutRunner(_ failure: TestFailure) {
    TestRunner.recordWithoutRunner(failure, at: placeWithoutRunner)
  }
}
