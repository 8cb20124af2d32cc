import Arbor

/// A lasting observation by a thread.
struct Observation {
  let witness: StateWitness
  let subscription: StoreSubscription
  let isTimed: Bool

  /// `true` if the first state may also be the last one.
  let isInitial: Bool
}
