/// A problem in a row of the catalog, and its line number.
struct CatalogueProblem: Equatable, Sendable {
  let line: Int
  let reason: String
}
