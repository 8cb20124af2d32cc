/// A failure on its way to Swift Testing, through function types that say how the library's own are called.
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

  /// Records it as an issue of its severity.
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

  /// Records it as an issue, with the function that knows no severity.
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
    // The library stops the program at a place that cannot be.
    let fileID = "\(place.fileID)"
    return make?.call(
      fileID.utf8.contains(UInt8(ascii: "/")) ? fileID : "Tests/\(fileID)",
      "\(place.filePath)",
      max(1, Int(clamping: place.line)),
      max(1, Int(clamping: place.column))
    )
  }

  /// Cases without payloads are numbered in their order, in a byte: the one that calls itself as it should is it.
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
