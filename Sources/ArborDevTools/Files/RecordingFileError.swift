/// A file that is no recording, or one that cannot be read or written.
package enum RecordingFileError: Error, Equatable {
  /// The file is something else, for a reason.
  case notARecording(String)

  /// The file was written by a newer version of the library, which knows more than this one.
  case newerVersion(found: Int, supported: Int)

  /// The file is a recording up to a byte, counted from 0, in an entry, counted from 1, if it is in one.
  case damaged(byte: Int, entry: Int?, String)

  /// The system does not give the file, or does not take it.
  case system(String)
}

extension RecordingFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notARecording(let reason): "This is not a recording: \(reason)."
    case .newerVersion(let found, let supported):
      "The recording has version \(found), and versions up to \(supported) can be read. Update Arbor to read it."
    case .damaged(let byte, let entry, let reason):
      "The recording is damaged at byte \(byte)\(entry.map { ", in entry \($0)" } ?? ""): \(reason)."
    case .system(let reason): reason
    }
  }
}
