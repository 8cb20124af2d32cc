/// The states of the two trees at rest.
struct Outcome: Sendable {
  let first: Ledger
  let second: Ledger
}
