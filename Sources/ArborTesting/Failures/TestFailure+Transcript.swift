/// The failures of a transcript.
extension TestFailure {
  static func otherTranscript(in file: TranscriptFile, _ difference: TranscriptDifference) -> TestFailure {
    TestFailure(
      summary: "The transcript differs from \(file.path), from line \(difference.line) on.",
      expected: "the lines with -",
      happened: "the lines with +",
      differences: difference.lines,
      fix: "fix the change, or accept the new transcript: \(rewriting)."
    )
  }

  static func missingTranscript(_ file: TranscriptFile) -> TestFailure {
    TestFailure(
      summary: "There is no transcript at \(file.path) to compare with.",
      fix: "write it: \(rewriting)."
    )
  }

  static func rewrittenTranscript(_ file: TranscriptFile) -> TestFailure {
    TestFailure(
      summary: "The transcript \(file.path) was rewritten, not compared.",
      fix: "run the test without `rewriting: true`, and without ARBOR_REWRITE_TRANSCRIPTS=1 in its environment.",
      severity: .warning
    )
  }

  static func transcriptFile(_ error: TranscriptFileError) -> TestFailure {
    TestFailure(summary: "\(error)", fix: "name a file in an existing folder that can be read and written.")
  }

  private static var rewriting: String {
    "run the test once with `rewriting: true`, or with ARBOR_REWRITE_TRANSCRIPTS=1 in its environment"
  }
}
