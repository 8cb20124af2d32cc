/// The error of a path that is not that of a folder.
struct NotAFolder: Error, CustomStringConvertible {
  let path: String

  var description: String { "\(path) is not a folder" }
}
