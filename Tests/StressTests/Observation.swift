import Arbor

/// An observation of a thread's that lasts.
struct Observation {
  let witness: StateWitness
  let subscription: StoreSubscription
  let isTimed: Bool

  /// `true` if the first state is the last one, too, where there is but one.
  let isInitial: Bool
}
