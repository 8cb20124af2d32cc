/// The reason why nothing can be done to an import.
enum ImportError: Error, Equatable, CustomStringConvertible {
  case notImporting

  var description: String { "nothing is being imported" }
}
