/// A problem of a row of the catalogue, and its line.
struct CatalogueProblem: Equatable, Sendable {
  let line: Int
  let reason: String
}
