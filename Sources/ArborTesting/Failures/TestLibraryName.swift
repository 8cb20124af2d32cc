/// The names by which the test libraries are found in a running program. No other file contains them.
///
/// - A missing name, whether removed or not yet added, isn't a failure: the caller does without it.
package enum TestLibraryName {
  /// Names of functions.
  package enum Function: String, CaseIterable, Sendable {
    /// `Testing.Test.current`
    case currentTest = "$s7Testing4TestV7currentACSgvgZ"

    /// `Testing.Comment.init(rawValue:)`
    case comment = "$s7Testing7CommentV8rawValueACSS_tcfC"

    /// `Testing.SourceLocation.init(fileID:filePath:line:column:)`
    case sourceLocation = "$s7Testing14SourceLocationV6fileID0D4Path4line6columnACSS_SSS2itcfC"

    /// `Testing.Issue.record(_:sourceLocation:)`
    case recordIssue = "$s7Testing5IssueV6record_14sourceLocationAcA7CommentVSg_AA06SourceE0VtFZ"

    /// `Testing.Issue.record(_:severity:sourceLocation:)`
    case recordIssueOfSeverity =
      "$s7Testing5IssueV6record_8severity14sourceLocationAcA7CommentVSg_AC8SeverityOAA06SourceF0VtFZ"

    /// `XCTest.XCTFail(_:file:line:)`
    case fail = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"

    #if canImport(ObjectiveC)
      /// The function of XCTest on Apple's platforms that returns the running test case.
      case currentTestCase = "_XCTCurrentTestCase"
    #else
      /// `XCTest.XCTestObservationCenter.shared`
      case observationCenter = "$s6XCTest0A17ObservationCenterC6sharedACvgZ"
    #endif

    /// Returns the function, as a value of a structure whose only property has the function's type.
    ///
    /// A closure consists of the address of its code and the address of its captured values, which is zero here. The
    /// structure prevents the compiler from treating the code as a closure whose arguments are all passed by address,
    /// as for generic values.
    func load<Call>(as call: Call.Type) -> Call? {
      address.map { code in unsafeBitCast((code: code, captured: UnsafeRawPointer?.none), to: call) }
    }

    package var address: UnsafeRawPointer? { SystemCalls.address(of: rawValue) }
  }

  /// Names of types.
  package enum Value: String, CaseIterable, Sendable {
    case test = "7Testing4TestV"
    case comment = "7Testing7CommentV"
    case sourceLocation = "7Testing14SourceLocationV"
    case issue = "7Testing5IssueV"
    case severity = "7Testing5IssueV8SeverityO"

    package var type: Any.Type? { _typeByName(rawValue) }
  }

  /// `true` if Swift Testing is loaded and built with library evolution: only then does it have a symbol for
  /// `Testing.Issue.Kind.unconditional`.
  package static var isEvolutionKept: Bool {
    SystemCalls.address(of: "$s7Testing5IssueV4KindO13unconditionalyA2EmFWC") != nil
  }
}
