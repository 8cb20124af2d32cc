/// A place in a test, as the compiler fills it in at the call.
package struct SourcePlace: Sendable {
  /// The module and the file's name.
  package let fileID: StaticString

  /// The file.
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  /// Keeps a caller's `#fileID`, `#filePath`, `#line` and `#column`.
  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

extension SourcePlace: CustomStringConvertible {
  /// The place in the form that editors lead to.
  package var description: String { "\(filePath):\(line):\(column)" }
}
