/// A file with the expected text of a transcript.
///
/// - Texts are compared byte by byte, except for a line break at the end of the file, which editors add.
/// - Rewriting is atomic: a reader finds the old text or the new one. Folders are not created.
package struct TranscriptFile: Sendable, Hashable {
  /// The path of the file.
  package let path: String

  /// Makes a file at an absolute path, or at a path relative to the folder of a test's source file.
  package init(_ path: String, beside place: SourcePlace) {
    let source = "\(place.filePath)"
    let folder = source.lastIndex(of: "/").map { source[...$0] } ?? ""
    self.path = path.utf8.first == UInt8(ascii: "/") ? path : folder + path
  }

  /// `true` if the environment requests rewriting: `ARBOR_REWRITE_TRANSCRIPTS` is `1`.
  package static var isRewritingAsked: Bool {
    SystemCalls.environmentVariable("ARBOR_REWRITE_TRANSCRIPTS") == "1"
  }

  /// Compares a text with the file, or rewrites the file on request.
  ///
  /// - A file that already has the text is not rewritten. A file that cannot be read is rewritten if it can be written.
  package func compare(
    with text: String,
    isRewriting: Bool = TranscriptFile.isRewritingAsked
  ) throws(TranscriptFileError) -> TranscriptOutcome {
    if !isRewriting { return try outcome(of: text) }
    if case .same? = try? outcome(of: text) { return .same }
    try rewrite(text)
    return .rewritten
  }

  private func outcome(of text: String) throws(TranscriptFileError) -> TranscriptOutcome {
    let bytes: [UInt8]
    do {
      bytes = try SystemCalls.bytes(ofFile: path)
    } catch {
      if error.isMissing { return .missing }
      throw .cannotRead(path: path, reason: error.reason)
    }
    let kept = String(decoding: bytes, as: UTF8.self)
    // Bytes that are not UTF-8 have been replaced by a mark.
    guard kept.utf8.elementsEqual(bytes) else { throw .notUTF8(path: path) }
    return TranscriptDifference(from: kept, to: text).map(TranscriptOutcome.different) ?? .same
  }

  private func rewrite(_ text: String) throws(TranscriptFileError) {
    let bytes = Array(text.utf8)
    let end = UInt8(ascii: "\n")
    do {
      try SystemCalls.replaceFile(path, with: bytes.last == end ? bytes : bytes + [end])
    } catch {
      throw .cannotWrite(path: path, reason: error.reason)
    }
  }
}

/// The reason why a transcript's file could not be compared or rewritten.
package enum TranscriptFileError: Error, Sendable, Hashable {
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case notUTF8(path: String)
}

extension TranscriptFileError: CustomStringConvertible {
  /// The path and the reason, as a sentence.
  package var description: String {
    switch self {
    case .cannotRead(let path, let reason): "The transcript \(path) cannot be read: \(reason)."
    case .cannotWrite(let path, let reason): "The transcript \(path) cannot be written: \(reason)."
    case .notUTF8(let path): "The transcript \(path) is not text in UTF-8."
    }
  }
}

/// The outcome of comparing a text with a transcript's file.
package enum TranscriptOutcome: Sendable, Hashable {
  /// The file contains the text.
  case same

  /// The file contains a different text.
  case different(TranscriptDifference)

  /// There is no such file.
  case missing

  /// The file now contains the text.
  case rewritten
}
