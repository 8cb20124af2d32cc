/// A range of ranks that each sorted index is asked for, in its own order.
struct RangeQuery: Sendable {
  let first: Int
  let last: Int
}
