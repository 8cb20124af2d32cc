/// The outcome of comparing a text with a transcript's file.
package enum TranscriptOutcome: Sendable, Hashable {
  /// The file has the text.
  case same

  /// The file has another text.
  case different(TranscriptDifference)

  /// There is no such file.
  case missing

  /// The file has the text now.
  case rewritten
}
