/// What is wrong with a row of the catalogue, and where.
struct CatalogueProblem: Equatable, Sendable {
  let line: Int
  let reason: String
}
