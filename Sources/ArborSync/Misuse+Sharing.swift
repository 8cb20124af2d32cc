internal import Arbor

extension Misuse {
  static let recordingSharedStore = Misuse(
    """
    A monitor that records was given to a SharedStore. A recording makes its states again of the actions in their order; what a \
    shared store shows goes back when actions of others come in before its own. Record a StoreFactory with the same feature.
    """
  )
}
