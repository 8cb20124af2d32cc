/// XCTest, as it is found in the running program.
///
/// - The function that records takes a string, a static string and a number: these are passed alike whatever the library is
///   built for.
enum XCTestLibrary {
  private struct Fail {
    let call: (String, StaticString, UInt) -> Void
  }

  #if canImport(ObjectiveC)
    /// `true` if one of its test cases runs.
    static var isRunning: Bool {
      typealias CurrentTestCase = @convention(c) () -> UnsafeRawPointer?
      guard let address = TestLibraryName.Function.currentTestCase.address else { return false }
      return unsafeBitCast(address, to: CurrentTestCase.self)() != nil
    }
  #else
    private struct ObservationCenter {
      let call: () -> AnyObject
    }

    /// `true` if it runs tests in this program: then somebody observes them, whoever prints the results at least.
    ///
    /// It does not tell which test case runs. The function that hands out the center is one of a class, and uses nothing of
    /// that class.
    static var isRunning: Bool {
      let center = TestLibraryName.Function.observationCenter.load(as: ObservationCenter.self)
      guard let center = center?.call() else { return false }
      return Mirror(reflecting: center).children.contains { _, property in
        !Mirror(reflecting: property).children.isEmpty
      }
    }
  #endif

  /// Records a failure, or writes a warning to standard error.
  ///
  /// - Returns: `false` if the library has no function that records failures; then nothing is done.
  static func record(_ failure: TestFailure, at place: SourcePlace) -> Bool {
    guard let fail = TestLibraryName.Function.fail.load(as: Fail.self) else { return false }
    switch failure.severity {
    case .failure: fail.call(failure.text, place.filePath, place.line)
    case .warning: failure.writeToStandardError(at: place)
    }
    return true
  }
}
