/// Parts of states, and the features of parts.
extension WorldDrawing {
  mutating func partPlan() -> PartPlan {
    PartPlan(
      kind: StatePart.Kind.allCases.randomElement(using: &random)!,
      isBeforeWhole: chance(1, in: 2),
      intercepts: chance(1, in: 2),
      reduces: chance(4, in: 5),
      hasEffects: chance(2, in: 3),
      handlesErrors: chance(1, in: 2),
      work: chance(1, in: 3) ? effect(1) : nil,
      change: chance(1, in: 4) ? effect(1) : nil,
      isFirstChange: chance(1, in: 2)
    )
  }

  mutating func part() -> StatePart {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .always
    case 1: .optional
    default: .element(partID())
    }
  }

  /// The effect of an action of a part: often a task that sends an action and ends soon.
  mutating func partEffect(_ nesting: Int) -> EffectPlan {
    guard chance(1, in: 2) else { return effect(nesting) }
    let end = chance(1, in: 3) ? [Program.Part.fail] : []
    let program = Program(number: newNumber(), parts: [.send(script(nesting))] + end)
    return .run(key: 0, chance(1, in: 2) ? .parallel : .throttle(3, latest: chance(1, in: 2)), program)
  }

  /// A node whose state has parts: the root of the first tree, which all actions there reach, or another node.
  mutating func owner() -> Int { chance(2, in: 3) ? 0 : store().node }

  mutating func partVerb() -> PartVerb {
    chance(1, in: 100) ? verbOfMany() : verbOfOne()
  }

  private mutating func verbOfMany() -> PartVerb {
    chance(1, in: 3) ? .empty : .fill(count: Int.random(in: 100...2_000, using: &random))
  }

  private mutating func verbOfOne() -> PartVerb {
    switch Int.random(in: 0..<10, using: &random) {
    case 8, 9: .toggle(part())
    case 0, 1: .setOptional(id: nil)
    case 2, 3: .setOptional(id: partID())
    case 4: .insert(id: partID(), at: Int.random(in: 0...2, using: &random))
    case 5: .remove(id: partID())
    case 6: .move(id: partID(), to: Int.random(in: 0...2, using: &random))
    default: .exchange(id: partID(), for: partID())
    }
  }

  private mutating func partID() -> Int { Int.random(in: 0..<3, using: &random) }
}
