/// Plays random schedules on the engine and on a simple model of the laws, and compares their observed events.
enum Simulation {
  /// A difference between the engine and the model.
  struct Failure: Sendable {
    let plan: WorldPlan

    /// The number of operations performed in all worlds.
    let operations: Int

    /// Returns the world with the fewest operations that still fails.
    func shortened() -> WorldPlan {
      Shortening.shorten(plan) { Simulation.difference(in: $0) != nil }
    }
  }

  /// Plays a number of operations in several worlds, whose seeds follow from the first seed.
  static func run(seed: UInt64, operations: Int) -> Failure? {
    var (seed, done) = (seed, 0)
    while done < operations {
      let plan = WorldDrawing.draw(seed: seed, length: 60 + Int(seed % 200))
      if let difference = difference(in: plan) {
        return Failure(plan: plan, operations: done + difference.operation)
      }
      done += plan.moves.count
      seed &+= 1
    }
    return nil
  }

  /// Plays a world.
  ///
  /// - Returns: The first operation after which the engine and the model differ, and the difference; nil if there is
  ///   none.
  static func difference(in plan: WorldPlan) -> (operation: Int, text: String)? {
    let inventory = WorldInventory(of: plan)
    var trees: [WeakTree] = []
    if let difference = difference(in: plan, inventory, forgottenTrees: &trees) { return difference }
    guard trees.allSatisfy({ $0.tree == nil }) else { return (plan.moves.count, "The model itself keeps something.") }
    return nil
  }

  /// A tree that is released with its model, because everything refers to its tree.
  private struct WeakTree {
    weak var tree: Model.Tree?
  }

  private static func difference(
    in plan: WorldPlan,
    _ inventory: WorldInventory,
    forgottenTrees: inout [WeakTree]
  ) -> (operation: Int, text: String)? {
    let engine = Engine(inventory, Chance(seed: plan.seed))
    let model = Model(inventory, Chance(seed: plan.seed))
    defer { forgottenTrees = model.trees.map { WeakTree(tree: $0) } }
    var moves = plan.moves
    var (index, rounds) = (0, 0)
    while index < moves.count {
      let move = moves[index]
      model.perform(move.operation, number: move.number)
      engine.perform(move.operation, number: move.number)
      if let difference = difference(between: engine, and: model) {
        return (index, "\(SourceText.of(move.operation))\n\(difference)")
      }
      engine.occurrences.removeAll(keepingCapacity: true)
      model.occurrences.removeAll(keepingCapacity: true)
      index += 1
      // An object released at the end may still begin something.
      guard index == moves.count, rounds < 3 || !engine.isAtRest && rounds < 20 else { continue }
      moves += inventory.closing(round: rounds)
      rounds += 1
    }
    guard engine.alive == 0, engine.isAtRest else { return (plan.moves.count, "Something is not freed in the end.") }
    return nil
  }

  private static func difference(between engine: Engine, and model: Model) -> String? {
    if engine.occurrences != model.occurrences {
      return "the engine: \(engine.occurrences)\nthe model: \(model.occurrences)"
    }
    if engine.waiting != model.waiting { return "waiting: \(engine.waiting), and in the model \(model.waiting)" }
    if engine.entries != model.entries { return "entries: \(engine.entries), and in the model \(model.entries)" }
    if engine.alive != model.alive { return "other things are in memory" }
    if engine.keepsAction { return "an action is in memory, although nothing waits" }
    return nil
  }
}

extension WorldInventory {
  /// The moves after which nothing waits and nothing has an owner.
  fileprivate func closing(round: Int) -> [WorldPlan.Move] {
    let operations =
      [Operation.open(gate: 0), .open(gate: 1), .advance(by: 10), .run] + nodes.map { Operation.release(node: $0) }
      + handles.flatMap { [Operation.dropObservation($0), .dropDerived($0)] }
      + selectors.map { Operation.dropSelector($0) } + screens.map { Operation.screen(.drop($0)) }
      + appliers.map { Operation.screen(.stopApplying($0)) } + [.run]
    return operations.enumerated().map { WorldPlan.Move(1_000_000 * (round + 1) + $0.offset, $0.element) }
  }
}
