/// Swift Testing, as it is found in the running program.
///
/// Its functions are called as the compiler would call them, without its module:
///
/// - It is built for evolution, on Apple's platforms and on Linux. So its values are passed and returned by address, and that
///   is how values of generic types are: every call goes through a function type over type parameters, and the types, found
///   by name, are opened into them. The compiler then makes room, retains and destroys, whatever the layout.
/// - Built otherwise its values would be passed in registers. One symbol tells; without it nothing is called.
/// - Strings and integers are passed as ever. An initializer consumes its arguments; other functions borrow them.
/// - Default arguments are all given.
enum SwiftTestingLibrary {
  private struct CurrentTest<Test> {
    let call: () -> Test?
  }

  /// `true` if the caller runs in a test, that is in its task or a child of it.
  static var hasCurrentTest: Bool {
    guard TestLibraryName.isEvolutionKept, let test = TestLibraryName.Value.test.type else { return false }
    return isCurrent(test)
  }

  /// `true` if it runs tests in this program, as far as the command line tells: an issue is lost where none do.
  static var isRunning: Bool {
    #if canImport(ObjectiveC)
      // Xcode has both libraries run in one process.
      if TestLibraryName.Function.currentTestCase.address != nil { return true }
    #endif
    return CommandLine.arguments.contains("swift-testing")
  }

  /// Records a failure, or a warning that fails no test.
  ///
  /// - Returns: `false` if the library lacks a type or a function that this takes; then nothing is recorded.
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
