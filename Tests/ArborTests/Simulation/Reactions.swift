/// Which reactions have happened.
struct Reactions {
  private var happened: Set<Int> = []

  /// The operations to be done now that somebody meets an action; nothing the second time.
  mutating func meet(_ action: SimulatedAction, at place: Reaction.Place) -> [Operation] {
    action.reactions
      .filter { $0.place == place && happened.insert($0.number).inserted }
      .map(\.operation)
  }
}
