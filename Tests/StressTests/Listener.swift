import Arbor

/// An observer that a thread has subscribed and may end.
struct Listener<Action: StressCarrier> {
  let witness: StateWitness
  let observer: Observer<Ledger>
  let store: Store<Ledger, Action>
}
