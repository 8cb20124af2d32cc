import Foundation
import Testing

@Suite("The README and the articles")
struct ReadmeTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  @Test func `every snippet of the README and of the articles is in a compiled file`() throws {
    // Snippets that need SwiftUI, UIKit or Combine are compiled with stubs of these frameworks, and whole programs with the
    // tutorials. The snippets of the article about the architecture are lines of the examples.
    let folders = [
      "Tests/ReadmeTests", "Tests/ArborCoreTests", "Tests/AppleStubs/Tests/AppleScreenTests", "Tests/Tutorials/Readme",
      "Tests/Tutorials/GettingStarted", "Tests/Tutorials/Notes",
      "Sources/Arbor/Arbor.docc/Tutorials/Code", "Examples/Todos/Sources", "Examples/Todos/Tests",
      "Examples/TodosApp/Sources",
    ]
    let compiled =
      try folders
      .flatMap { try files(in: $0, ending: ".swift") }
      .map { try lines(of: String(contentsOf: $0, encoding: .utf8)) }
    let pages = try files(in: "Sources", ending: ".md") + [root.appending(path: "README.md")]
    #expect(pages.count > 25)
    for page in pages {
      let snippets = try String(contentsOf: page, encoding: .utf8)
        .components(separatedBy: "```swift\n")
        .dropFirst()
        .map { $0.components(separatedBy: "```")[0] }
      for snippet in snippets {
        let snippet = lines(of: snippet)
        #expect(
          compiled.contains { $0.contains(snippet) },
          "This snippet is not in a compiled file: \(page.lastPathComponent):\n\(snippet)")
      }
    }
  }

  @Test func `the README is short`() throws {
    let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    #expect(text.components(separatedBy: "\n").count <= 251)
    let page = text.components(separatedBy: "\n[how]: ")[0]
    #expect(page.matches(of: /[A-Za-z0-9][\w’'.,-]*/).count <= 1500)
  }

  @Test func `each sentence of a misuse is in the article about failures`() throws {
    let article = try String(
      contentsOf: root.appending(path: "Sources/Arbor/Arbor.docc/FailureSentences.md"), encoding: .utf8)
    var count = 0
    for file in try files(in: "Sources", ending: ".swift") {
      let source = try String(contentsOf: file, encoding: .utf8)
      // A multiline literal, in which each line except for the last ends in a backslash.
      for rest in source.components(separatedBy: " = Misuse(\n").dropFirst() {
        let parts = rest.components(separatedBy: "\"\"\"")
        guard parts.count > 1, parts[0].allSatisfy(\.isWhitespace) else {
          Issue.record("a sentence with an unexpected form in \(file.lastPathComponent)")
          continue
        }
        let sentence = parts[1].components(separatedBy: "\n")
          .map { $0.trimmingPrefix(while: \.isWhitespace) }
          .map { $0.hasSuffix("\\") ? String($0.dropLast()) : String($0) }
          .joined()
        #expect(article.contains(sentence), "A sentence of \(file.lastPathComponent) is missing: \(sentence)")
        count += 1
      }
    }
    #expect(count >= 39)
  }

  private func files(in folder: String, ending suffix: String) throws -> [URL] {
    let folder = root.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { folder.appending(path: $0) }
  }

  /// Returns the lines without their indentation, as one text.
  private func lines(of text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }
}
