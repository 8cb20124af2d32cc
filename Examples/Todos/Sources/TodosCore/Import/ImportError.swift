/// The reason why a command about imports is impossible.
enum ImportError: Error, Equatable, CustomStringConvertible {
  case notImporting

  var description: String { "nothing is being imported" }
}
