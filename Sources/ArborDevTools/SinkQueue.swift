internal import Arbor
internal import Dispatch

/// A monitor's own queue, on which it calls its sink.
struct SinkQueue: Sendable {
  private let queue: DispatchQueue

  /// A key that has a value on this queue, but not on the queue of any other monitor.
  private let mark = DispatchSpecificKey<Bool>()

  init(label: String) {
    queue = DispatchQueue(label: label, qos: .utility)
    queue.setSpecific(key: mark, value: true)
  }

  /// Runs work after everything that was added before.
  func async(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  /// Runs work after a number of milliseconds.
  func async(afterMilliseconds delay: Int, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(delay), execute: work)
  }

  /// Runs work after everything that was added before, and returns when it is done. Stops the program inside the sink.
  func flush(_ work: () -> Void = {}) {
    guard DispatchQueue.getSpecific(key: mark) == nil else { Misuse.flushingInItsOwnSink.stop() }
    queue.sync(execute: work)
  }
}

/// Misuses of a monitor's sink.
extension Misuse {
  static let flushingInItsOwnSink = Misuse(
    """
    flush was called in the sink of the same monitor. It waits until everything monitored is written, and the current \
    text is only written after its sink has returned, so it would wait forever. Call flush outside, after the events \
    that it must write; in the sink itself, write the text that it receives and return.
    """
  )
}
