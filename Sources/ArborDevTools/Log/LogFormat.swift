/// The form in which a ``LogMonitor`` writes each record.
public enum LogFormat: Sendable, Hashable {
  /// For people: a line, and below it an indented line for each part of a state that has changed.
  case text

  /// For programs: a ``LogRecord`` as JSON, in exactly one line.
  case json
}
