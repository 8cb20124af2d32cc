internal import Arbor
internal import Dispatch

/// The queue of a monitor's own, on which it calls its sink.
struct SinkQueue: Sendable {
  private let queue: DispatchQueue

  /// Has a value on the queue, and on none of another monitor.
  private let mark = DispatchSpecificKey<Bool>()

  init(label: String) {
    queue = DispatchQueue(label: label, qos: .utility)
    queue.setSpecific(key: mark, value: true)
  }

  /// Runs work behind all that was entered before.
  func async(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  /// Runs work after some milliseconds.
  func async(afterMilliseconds delay: Int, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(delay), execute: work)
  }

  /// Runs work behind all that was entered before, and returns after it. In the sink this stops the program.
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
