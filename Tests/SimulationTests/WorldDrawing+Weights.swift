/// The kinds of operations, and their frequencies.
extension WorldDrawing {
  enum Kind {
    case dispatch, dispatchBatch, dispatchAndWait, dispatchAsInterceptor, readState, subscribe, subscribeOnce, end
    case addInterceptor, removeInterceptor, decide
    case makeScope, makeChild, release
    case observe, cancelObservation, keepObservation, dropObservation
    case derive, combine, map, deriveSelected, readValue, dropDerived, select, dropSelector
    case task, cancelTask, cancelKey, cancelAllTasks, isRunning, open, elsewhere, gated, advance, step, run, screen
  }

  /// The frequency of each kind of operation from outside, relative to the sum.
  static let outside: [(Kind, Int)] = [
    (.dispatch, 30), (.dispatchBatch, 5), (.dispatchAndWait, 8), (.dispatchAsInterceptor, 3), (.readState, 6),
    (.subscribe, 10), (.subscribeOnce, 6), (.end, 6), (.makeScope, 5), (.makeChild, 6), (.release, 4), (.task, 10),
    (.observe, 10), (.cancelObservation, 3), (.keepObservation, 2), (.dropObservation, 3), (.derive, 6), (.combine, 6),
    (.map, 3), (.deriveSelected, 2), (.readValue, 6), (.dropDerived, 2), (.select, 4), (.dropSelector, 1),
    (.cancelTask, 2), (.cancelKey, 5), (.cancelAllTasks, 1), (.isRunning, 2), (.open, 3), (.advance, 5), (.step, 40),
    (.run, 3), (.elsewhere, 25), (.screen, 20), (.addInterceptor, 4), (.removeInterceptor, 2), (.decide, 8),
    (.gated, 6),
  ]

  /// The frequencies in a world with screens.
  static let onScreens: [(Kind, Int)] = [
    (.screen, 120), (.dispatch, 40), (.dispatchBatch, 6), (.dispatchAndWait, 10), (.makeScope, 12), (.makeChild, 3),
    (.release, 2), (.observe, 4), (.derive, 4), (.combine, 2), (.map, 2), (.dropDerived, 2), (.step, 25), (.run, 6),
    (.elsewhere, 12), (.subscribe, 2), (.readState, 2),
  ]

  /// The frequencies in callbacks.
  static let inside: [(Kind, Int)] = [
    (.dispatch, 25), (.dispatchBatch, 3), (.dispatchAndWait, 6), (.dispatchAsInterceptor, 4), (.readState, 6),
    (.subscribe, 12), (.subscribeOnce, 4), (.end, 12), (.makeScope, 2), (.makeChild, 5), (.release, 12),
    (.observe, 8), (.cancelObservation, 5), (.keepObservation, 2), (.dropObservation, 4), (.derive, 5), (.combine, 5),
    (.map, 2), (.deriveSelected, 2), (.readValue, 8), (.dropDerived, 4), (.select, 5), (.dropSelector, 2), (.task, 8),
    (.cancelTask, 2), (.cancelKey, 6), (.cancelAllTasks, 1), (.isRunning, 2), (.open, 1), (.elsewhere, 6),
    (.screen, 20), (.addInterceptor, 3), (.removeInterceptor, 3), (.decide, 6),
  ]

  /// The frequencies when an object ends: it may do anything that outside code may, and mostly operates on stores.
  static let releasing: [(Kind, Int)] = [
    (.dispatch, 15), (.dispatchAndWait, 25), (.dispatchBatch, 2), (.readState, 3), (.subscribe, 6), (.subscribeOnce, 3),
    (.end, 8), (.makeChild, 3), (.release, 10), (.observe, 5), (.cancelObservation, 5), (.keepObservation, 1),
    (.dropObservation, 4), (.derive, 4), (.combine, 4), (.map, 2), (.deriveSelected, 1), (.readValue, 4),
    (.dropDerived, 5), (.select, 2), (.dropSelector, 2), (.task, 4), (.cancelKey, 3), (.cancelAllTasks, 1),
    (.screen, 8), (.decide, 3),
  ]
}
