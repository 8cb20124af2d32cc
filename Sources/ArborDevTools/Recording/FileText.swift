/// The text of a value that a file has, of which it has nothing else: a task's key, or an error.
struct FileText: Hashable, Error, CustomStringConvertible {
  let text: String

  var description: String { text }
}
