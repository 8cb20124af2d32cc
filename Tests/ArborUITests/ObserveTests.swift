import Arbor
import ArborUI
import Testing

@Suite("Observing for a view controller")
struct ObserveTests {}
