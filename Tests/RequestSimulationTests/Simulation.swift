import TestSupport

/// Plays random operations on a cache and on a naive model of it, and compares everything that a user can see.
enum Simulation {
  /// A difference between the engine and the model.
  struct Failure {
    let seed: UInt64

    /// The number of operations performed in all worlds.
    let operations: Int

    /// The operations of the world, of which the last one makes the difference.
    let world: [Operation]

    /// The fewest operations found that make a difference, and the difference.
    var text: String {
      let shortened = shortest(world) { Simulation.difference(in: $0) != nil }
      let list = shortened.map { "  \($0)" }.joined(separator: "\n")
      return """
        ARBOR_SIMULATION_SEED=\(seed), after \(operations) operations. Of its world, \(shortened.count) are enough:
        \(list.replacing("RequestSimulationTests.", with: ""))
        \(Simulation.difference(in: shortened) ?? "")
        """
    }
  }

  /// Plays a number of operations in several worlds, whose seeds follow from the first seed.
  static func run(seed: UInt64, operations: Int) -> Failure? {
    var (seed, done) = (seed, 0)
    while done < operations {
      var drawing = Drawing(random: SplitMix64(seed: seed))
      var world = World()
      let length = 40 + Int(seed % 150)
      var played: [Operation] = []
      for number in 1...length {
        played.append(drawing.operation(number, in: world.model))
        if world.difference(after: played.last!) != nil {
          return Failure(seed: seed, operations: done + played.count, world: played)
        }
      }
      if world.differenceAtTheEnd() != nil {
        return Failure(seed: seed, operations: done + played.count, world: played)
      }
      done += length
      seed &+= 1
    }
    return nil
  }

  /// Plays a world.
  ///
  /// - Returns: The first difference between the engine and the model; nil if there is none.
  static func difference(in operations: [Operation]) -> String? {
    var world = World()
    for operation in operations {
      if let difference = world.difference(after: operation) { return difference }
    }
    return world.differenceAtTheEnd()
  }
}

/// A cache and its model.
private struct World {
  var model = RequestModel()
  private var engine = RequestEngine()

  /// Performs an operation.
  ///
  /// - Returns: The difference that it makes; nil if there is none.
  mutating func difference(after operation: Operation) -> String? {
    model.perform(operation)
    if case .restart = operation {
      guard let next = engine.restarted() else { return "The old cache has left a task, a call or a timer." }
      engine = next
    } else {
      engine.perform(operation)
    }
    let (seen, expected) = (engine.look(), model.look())
    return seen == expected ? nil : "In the cache, \(seen.differences(from: expected))"
  }

  /// Ends everything.
  ///
  /// - Returns: A text that names a difference, or a call, task or timer that still exists; nil if there is none.
  mutating func differenceAtTheEnd() -> String? {
    let ends: [Operation] =
      [.becomeOnline(true), .becomeActive(true)] + model.waiting.map { .stopWaiting(waiter: $0) }
      + model.changes.map { .cancel(change: $0.input.number) }
      + model.slots.keys.sorted().flatMap { [.drop(slot: $0), .unsubscribe(slot: $0)] }
      + [.pass(seconds: SimulatedRequest.backoff)]
    for end in ends {
      if let difference = difference(after: end) { return difference }
    }
    while let id = model.openFetches.first {
      if let difference = difference(after: .answer(id, 1)) { return difference }
    }
    while let target = model.lateTargets.first {
      if let difference = difference(after: .answerLate(target)) { return difference }
    }
    if let difference = difference(after: .pass(seconds: 30)) { return difference }
    return engine.isEmpty ? nil : "Something is left in the end."
  }
}

extension RequestModel {
  /// The entries whose fetch has an open call.
  var openFetches: [EntryID] { entries.keys.filter { openFetch($0) != nil }.sorted() }

  /// The entries with pages.
  var loadedPages: [EntryID] { entries.keys.filter { $0.request == .pages }.sorted() }

  /// The targets of the calls that are answered late.
  var lateTargets: [SimulatedServer.Target] { lateCalls.keys.sorted { "\($0)" < "\($1)" } }

  /// The numbers of the waiting tasks.
  var waiting: [Int] { waiters.map(\.number) + changes.filter(\.isAwaited).map(\.input.number) }
}
