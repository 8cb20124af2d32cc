internal import Arbor

/// Misuses of a ``LogMonitor``.
extension Misuse {
  static let flushingInItsOwnSink = Misuse(
    """
    flush was called in the sink of the same LogMonitor. It waits until all that was monitored is written, and the record at hand is \
    written only when its sink has returned, so it would wait forever. Call flush outside, behind what is to be in the log; in the \
    sink itself, write what it is given and return.
    """
  )
}
