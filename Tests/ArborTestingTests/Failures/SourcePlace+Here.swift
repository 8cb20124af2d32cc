import ArborTesting

extension SourcePlace {
  /// The place of the caller.
  static func here(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> SourcePlace {
    SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
