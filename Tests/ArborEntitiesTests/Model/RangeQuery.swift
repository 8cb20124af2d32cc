/// A range of ranks, in the order of each sorted index.
struct RangeQuery: Sendable {
  let first: Int
  let last: Int
}
