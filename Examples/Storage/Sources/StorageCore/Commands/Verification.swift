import ArborPersistence

/// The check that a storage is unchanged since it was written.
struct Verification {
  private let contents: StorageContents

  init(of contents: StorageContents) {
    self.contents = contents
  }

  /// Writes one line if it is unchanged; otherwise one line for each finding.
  func write(to output: inout Output) throws(Output.Failure) -> Status {
    guard !contents.findings.isEmpty else {
      try output.add(line: "everything is intact, up to entry \(contents.entry.grouped)")
      return .fine
    }
    for finding in contents.findings { try output.add(line: "\(finding)") }
    return .findings
  }
}
