internal import Arbor

extension Misuse {
  static let recordingSharedStore = Misuse(
    """
    A monitor that records was given to a SharedStore. A recording reproduces its states from the actions in their \
    order, but the state of a shared store goes back when other clients' actions arrive before its own. Record a \
    StoreFactory with the same feature.
    """
  )
}
