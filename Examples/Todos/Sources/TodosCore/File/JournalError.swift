/// Why the file cannot be used, and where.
enum JournalError: Error, Equatable, CustomStringConvertible {
  case damaged(path: String, line: Int, reason: String)
  case unusable(path: String, reason: String)

  var description: String {
    switch self {
    case .damaged(let path, let line, let reason): "\(path):\(line): \(reason)"
    case .unusable(let path, let reason): "\(path): \(reason)"
    }
  }
}
