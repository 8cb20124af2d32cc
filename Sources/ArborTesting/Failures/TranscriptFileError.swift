/// The reason why a transcript's file was neither compared nor rewritten.
package enum TranscriptFileError: Error, Sendable, Hashable {
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case notUTF8(path: String)
}

extension TranscriptFileError: CustomStringConvertible {
  /// The path and the reason, in a sentence.
  package var description: String {
    switch self {
    case .cannotRead(let path, let reason): "The transcript \(path) cannot be read: \(reason)."
    case .cannotWrite(let path, let reason): "The transcript \(path) cannot be written: \(reason)."
    case .notUTF8(let path): "The transcript \(path) is not text in UTF-8."
    }
  }
}
