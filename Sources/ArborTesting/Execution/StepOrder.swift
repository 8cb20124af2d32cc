/// The choice among the possible next steps: the first, a random, or a prescribed one.
struct StepOrder: Sendable {
  /// The seed of the random choices; nil if the first step is always next.
  let seed: UInt64?

  private var random: UInt64
  private let prescribed: [Int]

  /// The choices made so far, wherever there was more than one step.
  private(set) var choices: [Int] = []

  /// Makes an order: first come, first served, unless you pass an argument.
  ///
  /// - Parameters:
  ///   - seed: The seed of random choices.
  ///   - prescribed: The choices to make, without a seed; after the last one, the first step is always next.
  init(seed: UInt64? = nil, prescribed: [Int] = []) {
    precondition(seed == nil || prescribed.isEmpty, "choices are either random or prescribed")
    self.seed = seed
    random = seed ?? 0
    self.prescribed = prescribed
  }

  /// `true` if the first step is always next.
  var isFirstComeFirstServed: Bool { seed == nil && prescribed.isEmpty }

  /// Chooses one of a number of steps.
  mutating func choose(among count: Int) -> Int {
    guard count > 1 else { return 0 }
    let choice: Int
    if seed != nil {
      choice = Int(next() % UInt64(count))
    } else {
      let index = choices.count
      choice = index < prescribed.count ? min(max(prescribed[index], 0), count - 1) : 0
    }
    choices.append(choice)
    return choice
  }

  /// The next number of the SplitMix64 generator (Steele, Lea and Flood: "Fast splittable pseudorandom number
  /// generators").
  private mutating func next() -> UInt64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
