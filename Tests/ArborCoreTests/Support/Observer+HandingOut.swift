import ArborCore
import TestSupport

/// The handlers that observers of lists received, to be called when a test wants it.
typealias Completions = RecordedValues<Observer<[Int]>.StatusHandler>

extension Observer<[Int]> {
  /// An observer that records each call, passes its handler to the test and keeps an object alive.
  static func handingOut(
    _ completions: Completions,
    calls: RecordedValues<Int>,
    holding object: Object = Object()
  ) -> Observer {
    Observer { state, complete in
      withExtendedLifetime(object) { calls.append(state.count) }
      completions.append(complete)
    }
  }
}
