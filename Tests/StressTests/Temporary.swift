/// The states of nested temporary child stores: the number of actions through each.
struct Temporary: Sendable, Equatable {
  static let levels = 3

  let lane: Int
  private(set) var generation: Int
  private(set) var counts = [0, 0, 0]

  /// The number of stores on the path to the current one.
  private(set) var depth = 0

  init(lane: Int, generation: Int) {
    self.lane = lane
    self.generation = generation
  }

  /// Counts an action through the first levels of a generation.
  mutating func count(generation: Int, levels: Int) {
    if self.generation != generation { counts = [0, 0, 0] }
    self.generation = generation
    for level in 0..<levels { counts[level] += 1 }
  }

  /// Adds the next store's count below the others.
  func composed(with count: Int) -> Temporary {
    var composed = self
    composed.counts[depth] = count
    composed.depth += 1
    return composed
  }

  /// The flaw relative to the root's knowledge, if any.
  func flaw(besides known: Temporary) -> String? {
    let counted = counts.prefix(depth)
    if known.generation == generation, counted == known.counts.prefix(depth) { return nil }
    // The root has received none of them yet.
    if known.generation < generation, counted.allSatisfy({ $0 == 0 }) { return nil }
    return "N1 temporary child stores counted \(self), the root \(known)"
  }
}
