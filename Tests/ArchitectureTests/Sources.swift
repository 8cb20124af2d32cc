import Foundation

/// The sources of a module as far as its architecture is concerned: which file declares what, and which names it.
struct Sources {
  struct File: Hashable {
    /// The path in the module.
    let path: String

    /// The lines without comments and without what stands in strings.
    let lines: [String]

    /// The folder in the module; "" for the module's own.
    var floor: String { path.split(separator: "/").dropLast().joined(separator: "/") }
  }

  /// A name of one file's in another one.
  struct Arrow: Hashable {
    let file: File
    let line: Int
    let name: String
    let target: File

    var place: String { "\(file.path):\(line)" }
  }

  let files: [File]

  /// The files that alone declare a type of a name, at the top level.
  private let declarations: [String: File]

  init(of folder: URL) throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    files = try names.sorted().map { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      return File(path: name, lines: Sources.code(in: text))
    }
    var declarations: [String: Set<File>] = [:]
    for file in files {
      for line in file.lines {
        if let name = Sources.declaredName(in: line) { declarations[name, default: []].insert(file) }
      }
    }
    self.declarations = declarations.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// Every use of a name that another file of the module declares.
  func arrows() -> [Arrow] {
    files.flatMap { file in
      file.lines.enumerated().flatMap { number, line in
        Sources.words(in: line).compactMap { word in
          guard let target = declarations[word], target != file else { return nil as Arrow? }
          return Arrow(file: file, line: number + 1, name: word, target: target)
        }
      }
    }
  }

  /// The files that name each other, directly or through others: each circle of more than one.
  func circles() -> [[File]] {
    var successors: [File: Set<File>] = [:]
    for arrow in arrows() { successors[arrow.file, default: []].insert(arrow.target) }
    var reached: [File: Set<File>] = [:]
    for file in files {
      var seen: Set<File> = []
      var waiting = Array(successors[file] ?? [])
      while let next = waiting.popLast() {
        if seen.insert(next).inserted { waiting += successors[next] ?? [] }
      }
      reached[file] = seen
    }
    var circles: [Set<File>: [File]] = [:]
    for file in files {
      let members = reached[file]!.filter { reached[$0]!.contains(file) }
      if members.count > 1 { circles[members] = members.sorted { $0.path < $1.path } }
    }
    return circles.values.sorted { $0.count > $1.count }
  }

  // MARK: The text

  /// The lines of a text, with blanks in the place of comments and of what stands in strings.
  static func code(in text: String) -> [String] {
    var lines: [String] = []
    var isInLongString = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = line.components(separatedBy: "\"\"\"")
      var code = ""
      for (number, part) in parts.enumerated() {
        if number > 0 { isInLongString.toggle() }
        if !isInLongString { code += withoutStringsAndComments(part) }
      }
      lines.append(code)
    }
    return lines
  }

  private static func withoutStringsAndComments(_ line: String) -> String {
    var code = ""
    var isInString = false
    var previous: Character = " "
    for character in line {
      defer { previous = previous == "\\" && character == "\\" ? " " : character }
      if character == "\"", previous != "\\" {
        isInString.toggle()
        continue
      }
      guard !isInString else { continue }
      if character == "/", previous == "/" { return String(code.dropLast()) }
      code.append(character)
    }
    return code
  }

  /// The type that a line declares at the top level, if it does.
  static func declaredName(in line: String) -> String? {
    let modifiers = /(?:(?:public|package|internal|final|indirect|nonisolated|@\w+(?:\([^)]*\))?) +)*/
    let declaration = /(?:struct|class|enum|protocol|actor|typealias) +([A-Z]\w*)/
    let rest = line.prefixMatch(of: modifiers).map { line[$0.range.upperBound...] } ?? line[...]
    return rest.prefixMatch(of: declaration).map { String($0.output.1) }
  }

  static func words(in line: String) -> Set<String> {
    Set(line.matches(of: /\b[A-Z]\w*/).map { String($0.output) })
  }
}
