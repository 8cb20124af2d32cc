/// How far an import is.
enum ImportState: Equatable, Sendable {
  case idle
  case reading(lines: Int)
}
