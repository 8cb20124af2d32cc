/// A place in a test, filled in by the compiler at the call.
package struct SourcePlace: Sendable {
  /// The name of the module and of the file.
  package let fileID: StaticString

  /// The path of the file.
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
  /// The place in a form that editors turn into a link.
  package var description: String { "\(filePath):\(line):\(column)" }
}
