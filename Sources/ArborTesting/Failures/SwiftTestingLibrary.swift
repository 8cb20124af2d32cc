/// Access to Swift Testing in the running program.
///
/// It calls the library's functions as the compiler would, but without importing its module:
///
/// - The library is built with library evolution, on Apple's platforms and on Linux. So its values are passed and
///   returned by address, like values of generic types. Every call goes through a function type over type parameters,
///   which stand for the library's types, found by name. The compiler then allocates, retains and destroys the values,
///   regardless of their layout.
/// - Without library evolution, its values would be passed in registers. One symbol reveals the difference; without the
///   symbol, nothing is called.
/// - Strings and integers are passed as usual. An initializer consumes its arguments; other functions borrow them.
/// - All default arguments are passed explicitly.
enum SwiftTestingLibrary {
  private struct CurrentTest<Test> {
    let call: () -> Test?
  }

  /// `true` if the caller runs in a test: in its task or a child of it.
  static var hasCurrentTest: Bool {
    guard TestLibraryName.isEvolutionKept, let test = TestLibraryName.Value.test.type else { return false }
    return isCurrent(test)
  }

  /// `true` if it runs tests in this program, according to the command line: without tests, an issue would be lost.
  static var isRunning: Bool {
    #if canImport(ObjectiveC)
      // Xcode runs both libraries in one process.
      if TestLibraryName.Function.currentTestCase.address != nil { return true }
    #endif
    return CommandLine.arguments.contains("swift-testing")
  }

  /// Records a failure, or a warning that fails no test.
  ///
  /// - Returns: `false` if the library lacks a required type or function. In that case nothing is recorded.
  static func record(_ failure: TestFailure, at place: SourcePlace) -> Bool {
    guard TestLibraryName.isEvolutionKept,
      let comment = TestLibraryName.Value.comment.type,
      let location = TestLibraryName.Value.sourceLocation.type,
      let issue = TestLibraryName.Value.issue.type
    else { return false }
    let report = SwiftTestingReport(failure: failure, place: place)
    if let severity = TestLibraryName.Value.severity.type,
      report.send(comment: comment, location: location, issue: issue, severity: severity)
    {
      return true
    }
    return failure.severity == .failure && report.send(comment: comment, location: location, issue: issue)
  }

  private static func isCurrent<Test>(_ test: Test.Type) -> Bool {
    TestLibraryName.Function.currentTest.load(as: CurrentTest<Test>.self)?.call() != nil
  }
}

/// A failure to be sent to Swift Testing, through function types that match the library's own.
package struct SwiftTestingReport {
  private struct MakeComment<Comment> {
    let call: (consuming String) -> Comment
  }

  private struct MakeLocation<Location> {
    let call: (consuming String, consuming String, Int, Int) -> Location
  }

  private struct Record<Comment, Location, Issue> {
    let call: (Comment?, Location) -> Issue
  }

  private struct RecordOfSeverity<Comment, Location, Issue, Severity> {
    let call: (Comment?, Severity, Location) -> Issue
  }

  private let failure: TestFailure
  private let place: SourcePlace

  package init(failure: TestFailure, place: SourcePlace) {
    self.failure = failure
    self.place = place
  }

  /// Records the failure as an issue of its severity.
  func send<Comment, Location, Issue, Severity>(
    comment: Comment.Type,
    location: Location.Type,
    issue: Issue.Type,
    severity: Severity.Type
  ) -> Bool {
    typealias Call = RecordOfSeverity<Comment, Location, Issue, Severity>
    guard let record = TestLibraryName.Function.recordIssueOfSeverity.load(as: Call.self),
      let comment = makeComment(comment),
      let location = makeLocation(location),
      let severity = makeSeverity(severity)
    else { return false }
    _ = record.call(comment, severity, location)
    return true
  }

  /// Records the failure as an issue, with the function that takes no severity.
  package func send<Comment, Location, Issue>(
    comment: Comment.Type,
    location: Location.Type,
    issue: Issue.Type
  ) -> Bool {
    typealias Call = Record<Comment, Location, Issue>
    guard let record = TestLibraryName.Function.recordIssue.load(as: Call.self),
      let comment = makeComment(comment),
      let location = makeLocation(location)
    else { return false }
    _ = record.call(comment, location)
    return true
  }

  private func makeComment<Comment>(_: Comment.Type) -> Comment? {
    TestLibraryName.Function.comment.load(as: MakeComment<Comment>.self)?.call(failure.text)
  }

  private func makeLocation<Location>(_: Location.Type) -> Location? {
    let make = TestLibraryName.Function.sourceLocation.load(as: MakeLocation<Location>.self)
    // The library stops the program if the place is impossible.
    let fileID = "\(place.fileID)"
    return make?.call(
      fileID.utf8.contains(UInt8(ascii: "/")) ? fileID : "Tests/\(fileID)",
      "\(place.filePath)",
      max(1, Int(clamping: place.line)),
      max(1, Int(clamping: place.column))
    )
  }

  /// Cases without payloads are numbered in order, in one byte: the right case is the one with the expected
  /// description.
  private func makeSeverity<Severity>(_: Severity.Type) -> Severity? {
    guard MemoryLayout<Severity>.size == 1 else { return nil }
    let name =
      switch failure.severity {
      case .failure: "error"
      case .warning: "warning"
      }
    let cases = [UInt8(0), 1].map { number in unsafeBitCast(number, to: Severity.self) }
    return cases.first { String(describing: $0) == name }
  }
}
