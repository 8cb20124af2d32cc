/// The reason why a file is not read as a recording, or cannot be written.
public enum RecordingFileError: Error, Equatable {
  /// The file is something else, for a reason.
  case notARecording(String)

  /// The file was written by a newer version of the library, which knows more than this one.
  case newerVersion(found: Int, supported: Int)

  /// The file is a recording up to a byte, counted from 0, in an entry, counted from 1, if it is in one.
  case damaged(byte: Int, entry: Int?, String)

  /// The file is a recording that can be looked at, and not loaded by this program, for a reason.
  case notLoadable(String)

  /// The system does not give the file, or does not take it.
  case system(String)
}

extension RecordingFileError: CustomStringConvertible {
  /// A sentence or two that say what is wrong, and what helps where anything does.
  public var description: String {
    switch self {
    case .notARecording(let reason): "This is not a recording: \(reason)."
    case .newerVersion(let found, let supported):
      "The recording has version \(found), and versions up to \(supported) can be read. Update Arbor to read it."
    case .damaged(let byte, let entry, let reason):
      "The recording is damaged at byte \(byte)\(entry.map { ", in entry \($0)" } ?? ""): \(reason)."
    case .notLoadable(let reason): "The recording cannot be loaded: \(reason)."
    case .system(let reason): reason
    }
  }
}
