import ArborCore
import TestSupport

/// The handlers that observers of lists were given, each to be called when a test says so.
typealias Completions = RecordedValues<Observer<[Int]>.StatusHandler>

extension Observer<[Int]> {
  /// An observer that writes down each call, hands its handler out and keeps an object alive.
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
