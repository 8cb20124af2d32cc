import ArborPersistence
import Foundation

/// The lines that show the content of a storage.
struct Overview {
  private let contents: StorageContents
  private let folder: String

  init(of contents: StorageContents, in folder: String) {
    self.contents = contents
    self.folder = folder
  }

  var lines: [String] {
    [
      ["\(folder), last entry \(contents.entry.grouped)"], parts, JournalSection(of: contents.steps).lines, files,
      keptAside, findings,
    ].filter { !$0.isEmpty }.joined(separator: [""]).map(\.self)
  }

  private var parts: [String] {
    guard !contents.parts.isEmpty else { return ["no parts"] }
    var table = Table(
      .init(title: "part"),
      .init(title: "version", isNumber: true),
      .init(title: "coding"),
      .init(title: "bytes", isNumber: true),
      .init(title: "differences", isNumber: true)
    )
    for part in contents.parts {
      let size = part.differences.reduce(part.bytes.count) { $0 + $1.count }
      table.add(part.name, "\(part.version)", part.coding, size.grouped, part.differences.count.grouped)
    }
    return ["\(contents.parts.count.of("part")):"] + table.lines.map { "  \($0)" }
  }

  private var files: [String] { Self.table(of: contents.files.filter { !$0.isKeptAside }, called: "file") }

  private var keptAside: [String] {
    Self.table(of: contents.files.filter(\.isKeptAside), called: "damaged file", suffix: " kept aside")
  }

  private static func table(of files: [StorageContents.File], called noun: String, suffix: String = "") -> [String] {
    guard !files.isEmpty else { return [] }
    var table = Table(.init(title: "file"), .init(title: "bytes", isNumber: true))
    // Sorted by their numbers, which show the order of their creation.
    for file in files.sorted(by: { $0.name.compare($1.name, options: .numeric) == .orderedAscending }) {
      table.add(file.name, file.size.grouped)
    }
    return ["\(files.count.of(noun))\(suffix):"] + table.lines.map { "  \($0)" }
  }

  private var findings: [String] {
    guard !contents.findings.isEmpty else { return ["everything is intact"] }
    return ["\(contents.findings.count.of("finding")):"] + contents.findings.map { "  \($0)" }
  }
}
