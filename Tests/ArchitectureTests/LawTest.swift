import Foundation

/// A test whose name begins with the codes of laws.
struct LawTest {
  let laws: [String]

  /// `true` if it covers all laws from one to another.
  let isOfMany: Bool
  let name: String

  /// The path relative to the folder of all tests.
  let file: String

  var line: String { "- \(name) (`\(file)`)" }

  /// The tests of laws in a folder, by files and in the order of the file.
  static func all(in folder: URL, laws: [String]) throws -> [LawTest] {
    let paths = (FileManager.default.subpaths(atPath: folder.path) ?? []).filter { path in
      path.hasSuffix(".swift") && !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }
    return try paths.sorted().flatMap { path in
      let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      let functions = source.matches(of: /func\s+`([A-Z][0-9](?:(?:, | to | )[A-Z][0-9])*) ([^`]+)`/)
      return functions.compactMap { match -> LawTest? in
        guard isTest(behind: source[..<match.range.lowerBound]) else { return nil }
        let codes = match.1.matches(of: /[A-Z][0-9]/).map { String($0.0) }
        let isOfMany = match.1.contains(" to ")
        let range =
          isOfMany ? laws.drop { $0 != codes.first }.prefix { $0 != codes.last } + codes.suffix(1) : codes[...]
        let name = isOfMany ? "\(match.1) \(match.2)" : String(match.2)
        return LawTest(laws: Array(range), isOfMany: isOfMany, name: name, file: path)
      }
    }
  }

  /// Returns `true` if the text before a function makes it a test that runs.
  private static func isTest(behind text: Substring) -> Bool {
    let head = text.components(separatedBy: "\n\n").last ?? ""
    let line = head.split(separator: "\n").last ?? ""
    return head.contains("@Test") && !head.contains(".disabled") && !line.contains("//")
  }
}
