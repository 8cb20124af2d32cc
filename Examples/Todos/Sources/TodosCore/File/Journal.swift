import Foundation

/// The file: every change of the list since it was empty, one JSON object a line.
///
/// - It is only ever appended to. Its changes, reduced in order, are the list, with what can be undone.
/// - A change is there as soon as its line has its end. What is left of a write that was cut short is the last line
///   without one, and was never answered.
struct Journal: Sendable {
  private let path: String
  private let file: FileHandle

  /// Opens a file, or makes it.
  init(path: String) throws(JournalError) {
    self.path = path
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .unusable(path: path, reason: String(cString: strerror(errno))) }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unusable(path: path, reason: "not a regular file")
    }
    // Two programs at once would give the same IDs to different items.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw .unusable(path: path, reason: "another todos uses this file")
    }
  }

  /// Reads the list. A damaged file is left as it is; of one that is not, an unfinished last line is cut off.
  func replay(note: (String) -> Void) throws(JournalError) -> ListState {
    do {
      var list = ListState()
      var lines = try (file.readToEnd() ?? Data()).split(separator: newline, omittingEmptySubsequences: false)
      // What follows the last line end: nothing, unless a write was cut short.
      let rest = lines.popLast() ?? Data()
      let decoder = JSONDecoder()
      for (index, line) in lines.enumerated() {
        do {
          let action = try decoder.decode(ListAction.self, from: line)
          try list.check(action)
          listReducer(&list, action)
        } catch {
          throw JournalError.damaged(path: path, line: index + 1, reason: error.reason)
        }
      }
      if !rest.isEmpty {
        // The beginning of anything else was never written here.
        guard rest.first == UInt8(ascii: "{") else {
          throw JournalError.damaged(path: path, line: lines.count + 1, reason: "not the beginning of a change")
        }
        try file.truncate(atOffset: UInt64(rest.startIndex))
        note("\(path):\(lines.count + 1): dropped an unfinished line")
      }
      return list
    } catch let error as JournalError {
      throw error
    } catch {
      throw .unusable(path: path, reason: error.reason)
    }
  }

  /// Writes a change, and returns once it is there to stay.
  func append(_ action: ListAction) throws(JournalError) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try file.write(contentsOf: encoder.encode(action) + [newline])
      // The write alone survives the end of the program, however it ends; this survives that of the machine too. It
      // costs a fraction of what a person needs to type a command, and an import is one change.
      try file.synchronize()
    } catch {
      throw .unusable(path: path, reason: error.reason)
    }
  }

  private var newline: UInt8 {
    UInt8(ascii: "\n")
  }
}
