/// Misuses of a ``LogMonitor``: each stops the program with what was done, why it cannot work, and what to do.
enum LogMisuse: String {
  case flushingInItsOwnSink = """
    flush was called in the sink of the same LogMonitor. It waits until all that was monitored is written, and the record at hand is \
    written only when its sink has returned, so it would wait forever. Call flush outside, behind what is to be in the log; in the \
    sink itself, write what it is given and return.
    """

  /// Stops the program with the case's sentence, in debug and in release builds.
  func stop() -> Never {
    fatalError("Arbor: " + rawValue)
  }
}
