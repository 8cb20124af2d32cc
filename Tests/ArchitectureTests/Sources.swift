import Foundation

/// The sources of a module as far as its architecture is concerned: the declarations and names in each file.
struct Sources {
  struct File: Hashable {
    /// The path in the module.
    let path: String

    /// The lines without comments and the content of strings.
    let lines: [String]

    /// The folder in the module; "" for the module's own.
    var layer: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    static func == (left: File, right: File) -> Bool {
      left.path == right.path
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(path)
    }
  }

  /// A use of one file's name in another file.
  struct Arrow: Hashable {
    let file: File
    let line: Int
    let name: String
    let target: File

    var place: String { "\(file.path):\(line)" }
  }

  let files: [File]

  /// The files that are the only ones to declare a top-level type of a name.
  private let declarations: [String: File]

  init(of folder: URL) throws {
    // The steps of tutorials are programs.
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
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
        Sources.typeNames(in: line).compactMap { word in
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

  /// The lines of a text, with spaces in place of comments and of the content of strings.
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
    var code: [UInt8] = []
    var isInString = false
    var previous = UInt8(ascii: " ")
    for character in line.utf8 {
      defer { previous = previous == backslash && character == backslash ? UInt8(ascii: " ") : character }
      if character == UInt8(ascii: "\""), previous != backslash {
        isInString.toggle()
        continue
      }
      guard !isInString else { continue }
      if character == UInt8(ascii: "/"), previous == character {
        code.removeLast()
        break
      }
      code.append(character)
    }
    return String(decoding: code, as: UTF8.self)
  }

  private static let backslash = UInt8(ascii: "\\")

  /// The type that a line declares at the top level, if any.
  static func declaredName(in line: String) -> String? {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    let modifiers: Set<Substring> = ["public", "package", "internal", "final", "indirect", "nonisolated"]
    guard line.first?.isWhitespace == false else { return nil }
    var words = line.split(whereSeparator: \.isWhitespace)[...]
    while let word = words.first, modifiers.contains(word) || word.hasPrefix("@") { words.removeFirst() }
    guard let kind = words.first, kinds.contains(kind), let name = words.dropFirst().first else { return nil }
    return name.first?.isUppercase == true ? String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) : nil
  }

  /// The capitalized names in a line.
  static func typeNames(in line: String) -> Set<String> {
    names(in: line).filter { $0.first!.isUppercase }
  }

  /// The names in a line, and its keywords.
  static func names(in line: String) -> Set<String> {
    let isPartOfWord = { (character: UInt8) in
      switch character {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
      default: false
      }
    }
    return Set(line.utf8.split { !isPartOfWord($0) }.map { String(Substring($0)) })
  }
}
