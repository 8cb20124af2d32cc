/// A place in the source code, by which two functions are told apart that cannot be compared.
struct CallSite: Hashable {
  private let file: UnsafePointer<UInt8>
  private let line: Int
  private let column: Int

  init(_ file: StaticString, _ line: Int, _ column: Int) {
    self.file = file.utf8Start
    self.line = line
    self.column = column
  }
}
