import Foundation
import Testing

@Suite("Comments")
struct CommentTests {
  /// The words that begin a relative clause, which says nothing without the code next to it.
  private static let relativeWords: Set = ["How", "Those", "What", "Whether", "Which", "Who", "Whose", "Why"]

  /// The words that can begin such a clause or a sentence.
  private static let otherWords: Set = ["That", "When", "Where"]

  @Test(arguments: ["Sources", "Examples"])
  func `a comment begins with a noun or a verb, and so does each item in it`(folder: String) throws {
    let files = try swiftFiles(in: folder)
    #expect(files.count > 100)
    for file in files {
      var isInside = false
      for (index, line) in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").enumerated() {
        let line = line.drop { $0 == " " }
        let isFirst = !isInside
        isInside = line.hasPrefix("//")
        let text = line.drop { $0 == "/" }.drop { $0 == " " }
        guard isInside, isFirst || text.hasPrefix("- ") else { continue }
        let word = firstWord(of: text)
        let isRelative =
          Self.relativeWords.contains(word)
          || Self.otherWords.contains(word) && isFirst && line.hasPrefix("///")
        #expect(!isRelative, "\(file.path(percentEncoded: false)):\(index + 1) begins with \(word)")
      }
    }
  }

  /// The first word of a comment, or of an item after the name of a parameter.
  private func firstWord(of text: Substring) -> String {
    let text = text.drop { $0 == "-" || $0 == " " }
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == " " }
    let rest = text[name.endIndex...]
    return String((rest.hasPrefix(": ") ? rest.dropFirst(2) : text).prefix { $0.isLetter })
  }

  private func swiftFiles(in folder: String) throws -> [URL] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    let folder = root.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") && !$0.contains(".docc/") }
      .map { folder.appending(path: $0) }
  }
}
