/// The visible content of a state: numbers that distinguish any two histories.
struct Digest: Equatable, Sendable {
  /// The number of the tree's root.
  let tree: Int32

  /// The number of actions that the root has reduced.
  private(set) var count: Int32 = 0

  /// The history of the innermost node.
  private(set) var own: UInt64 = 0

  /// The histories from the root down to the innermost node.
  private(set) var all: UInt64 = 0

  init(tree: Int32) {
    self.tree = tree
  }

  /// The reducer of every node.
  mutating func reduce(_ action: SimulatedAction) {
    count += 1
    own = Digest.mix(
      own, UInt64(truncatingIfNeeded: action.number) << 32 | UInt64(UInt32(truncatingIfNeeded: action.path)))
    all = own
  }

  /// The state of a child store below this state.
  func composed(with local: Digest) -> Digest {
    var composed = self
    composed.own = local.own
    composed.all = Digest.mix(all, local.own)
    return composed
  }

  /// Only the part of the innermost node.
  var innermost: Digest {
    var innermost = self
    innermost.all = own
    return innermost
  }

  /// The same state before any action.
  var emptied: Digest { Digest(tree: tree) }

  static func mix(_ value: UInt64, _ other: UInt64) -> UInt64 {
    var mixed = (value &+ other &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 29
    mixed = mixed &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ (mixed >> 32)
  }
}

extension [Int] {
  /// A number that distinguishes these values from others.
  var digest: UInt64 { reduce(0) { Digest.mix($0, UInt64(bitPattern: Int64($1))) } }
}
