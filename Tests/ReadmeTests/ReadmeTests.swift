import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
  @Test func `every snippet of the README is in a compiled file`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let readme = tests.appending(path: "../../README.md").standardizedFileURL
    // What needs SwiftUI or UIKit is compiled beside stubs of them.
    let screens = "../AppleStubs/Tests/AppleScreenTests/ReadmeScreens.swift"
    let compiled = try ["Snippets.swift", "ComingFromSnippets.swift", screens].map { file in
      try lines(of: String(contentsOf: tests.appending(path: file), encoding: .utf8))
    }
    let snippets = try String(contentsOf: readme, encoding: .utf8)
      .components(separatedBy: "```swift\n")
      .dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(snippets.count >= 6)
    for snippet in snippets {
      let snippet = try lines(of: snippet)
      #expect(compiled.contains { $0.contains(snippet) }, "Not compiled as it stands in the README:\n\(snippet)")
    }
  }

  /// The lines without their indentation, as one text.
  private func lines(of text: String) throws -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }
}
