/// The progress of an import.
enum ImportState: Equatable, Sendable {
  case idle
  case reading(lines: Int)
}
