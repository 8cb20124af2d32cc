import Arbor
import ArborTesting
import Testing

@Suite("Failures in Swift Testing")
struct SwiftTestingRunnerTests {
  /// Returns the issues that a body records. The run neither counts nor prints them.
  private static func issues(_ body: @escaping @Sendable () async -> Void) async throws -> [Issue] {
    let seen = Protected<[Issue]>([])
    let trait: IssueHandlingTrait = .compactMapIssues { issue in
      seen.withLock { $0.append(issue) }
      return nil
    }
    try await trait.provideScope(for: #require(Test.current), testCase: nil, performing: body)
    return seen.withLockInAsync { $0 }
  }

  @Test func `a failure is recorded once, at the caller's line, with its text`() async throws {
    let line = #line + 1
    let place = SourcePlace.here()
    let issues = try await Self.issues { TestRunner.record(.example, at: place) }
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

  @Test func `a warning is recorded, and isn't a failure`() async throws {
    let issues = try await Self.issues { TestRunner.record(.warning, at: .here()) }
    #expect(issues.count == 1)
    let issue = try #require(issues.first)
    #expect(issue.severity == .warning)
    #expect(!issue.isFailure)
    #expect(issue.comments.map(\.rawValue) == [TestFailure.warning.text])
  }

  @Test func `without known severities a failure is recorded anyway`() async throws {
    let place = SourcePlace.here()
    let issues = try await Self.issues {
      let report = SwiftTestingReport(failure: .example, place: place)
      #expect(report.send(comment: Comment.self, location: SourceLocation.self, issue: Issue.self))
    }
    #expect(issues.map(\.comments) == [[Comment(rawValue: TestFailure.example.text)]])
    #expect(issues.map(\.sourceLocation?.line) == [Int(place.line)])
    #expect(issues.map(\.severity) == [.error])
  }

  @Test func `a failure that a sink takes is not recorded`() async throws {
    let issues = try await Self.issues {
      _ = TestRunner.catching { TestRunner.record(.example, at: .here()) }
    }
    #expect(issues.isEmpty)
  }

  @Test func `a failure in a detached task is recorded, although no test is current`() async throws {
    // Run it in a separate process, whose issues this test receives.
    let issues = try await Self.issues {
      await #expect(processExitsWith: .success) {
        await Task.detached {
          #expect(Test.current == nil)
          TestRunner.record(.example, at: SwiftTestingRunnerTests.placeWithoutRunner)
        }.value
      }
    }
    #expect(issues.map(\.sourceLocation?.line) == [Int(Self.placeWithoutRunner.line)])
    #expect(issues.map(\.comments) == [[Comment(rawValue: TestFailure.example.text)]])
  }

  @Test func `failures from many tasks are all recorded`() async throws {
    let issues = try await Self.issues {
      await withTaskGroup { group in
        for _ in 0..<50 {
          group.addTask { TestRunner.record(.example, at: .here()) }
        }
      }
    }
    #expect(issues.count == 50)
  }

  @Test func `an impossible place is recorded nevertheless`() async throws {
    let nowhere = SourcePlace(fileID: "Nowhere", filePath: "", line: 0, column: .max)
    let issues = try await Self.issues { TestRunner.record(.example, at: nowhere) }
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

  @Test func `Swift Testing is built with library evolution`() {
    #expect(TestLibraryName.isEvolutionKept)
  }

  @Test func `without a test library a failure stops the program with its text`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      SwiftTestingRunnerTests.recordWithoutRunner(.example)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let place = Self.placeWithoutRunner
    #expect(text.contains("\(place.filePath):\(place.line): Fatal error: \(TestFailure.example.text)\n"), "\(text)")
  }

  @Test func `without a test library a warning is written to standard error`() async {
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
