import ArborPersistence
import Foundation

/// The repair of a storage.
struct Repair {
  private let contents: StorageContents
  private let folder: String

  /// - Parameter contents: The contents of the folder before the repair.
  init(of contents: StorageContents, in folder: String) {
    self.contents = contents
    self.folder = folder
  }

  /// Repairs the storage, and writes the findings, the files kept under other names, and the remaining content.
  ///
  /// - Throws: A `StorageError`, also if another process uses the folder.
  func run(_ output: inout Output) throws -> Status {
    guard !contents.findings.isEmpty else {
      try output.add(line: "nothing to repair: everything is intact")
      return .fine
    }
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    let names = try StorageContents.repair(at: url)
    for finding in contents.findings { try output.add(line: "\(finding)") }
    for name in names { try output.add(line: "kept aside as \(name)") }
    let left = try StorageContents(of: url)
    let actions = left.steps.reduce(0) { $0 + $1.actions.count }
    try output.add(
      line: "remaining: \(left.parts.count.of("part")), and \(left.steps.count.of("step")) with \(actions.of("action"))"
    )
    return .fine
  }
}
