/// What observers of the stress test see: the root's ledger, and beside it what each child store on the way counted.
struct Composition: Sendable {
  let ledger: Ledger
  var counts: [Int] = []
  var temporary: Temporary?

  /// What is wrong with it, if anything: every part must have seen the same actions.
  var flaw: String? {
    if ledger.violations > 0 { return "the root saw actions out of order" }
    if ledger.isInsideStep { return "seen inside a step" }
    if counts != Array(ledger.passed.prefix(counts.count)) {
      return "child stores counted \(counts), the root \(ledger.passed)"
    }
    guard let temporary else { return nil }
    let known = ledger.temporaries[temporary.thread]
    if known != temporary, temporary.count > 0 || known.generation > temporary.generation {
      return "a temporary child store counted \(temporary), the root \(known)"
    }
    return nil
  }
}
