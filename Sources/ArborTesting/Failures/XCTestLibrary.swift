/// Access to XCTest in the running program.
///
/// - Its function for recording takes a string, a static string and a number, which are passed in the same way however
///   the library is built.
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

    /// `true` if it runs tests in this program. If it does, it has observers, at least the one that prints the results.
    ///
    /// This does not reveal which test case runs. The function that returns the center belongs to a class, but uses
    /// nothing of that class.
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
  /// - Returns: `false` if the library has no function for recording failures. In that case nothing is done.
  static func record(_ failure: TestFailure, at place: SourcePlace) -> Bool {
    guard let fail = TestLibraryName.Function.fail.load(as: Fail.self) else { return false }
    switch failure.severity {
    case .failure: fail.call(failure.text, place.filePath, place.line)
    case .warning: failure.writeToStandardError(at: place)
    }
    return true
  }
}
