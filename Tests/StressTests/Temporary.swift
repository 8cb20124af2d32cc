/// The states of child stores that live for a while, one below the other: how many actions came through each.
struct Temporary: Sendable, Equatable {
  static let levels = 3

  let lane: Int
  private(set) var generation: Int
  private(set) var counts = [0, 0, 0]

  /// The number of the stores on the way to the one that is seen.
  private(set) var depth = 0

  init(lane: Int, generation: Int) {
    self.lane = lane
    self.generation = generation
  }

  /// Counts an action that came through the first levels of a generation.
  mutating func count(generation: Int, levels: Int) {
    if self.generation != generation { counts = [0, 0, 0] }
    self.generation = generation
    for level in 0..<levels { counts[level] += 1 }
  }

  /// Puts what the next store counted below the others.
  func composed(with count: Int) -> Temporary {
    var composed = self
    composed.counts[depth] = count
    composed.depth += 1
    return composed
  }

  /// The flaw that it has beside what the root knows, if any.
  func flaw(besides known: Temporary) -> String? {
    let counted = counts.prefix(depth)
    if known.generation == generation, counted == known.counts.prefix(depth) { return nil }
    // The root has heard of none of them yet.
    if known.generation < generation, counted.allSatisfy({ $0 == 0 }) { return nil }
    return "N1 temporary child stores counted \(self), the root \(known)"
  }
}
