import Foundation
import Testing

@Suite("The laws")
struct LawTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL
  private static let article = root.appending(path: "Sources/Arbor/Arbor.docc/TheLaws.md")
  private static let page = root.appending(path: "Tests/TestsOfTheLaws.md")

  /// The codes of all laws, in the order of their article.
  private let laws: [String]
  private let tests: [LawTest]

  init() throws {
    let article = try String(contentsOf: Self.article, encoding: .utf8)
    laws = article.matches(of: /(?m)^- \*\*([A-Z][0-9])\*\*/).map { String($0.1) }
    tests = try LawTest.all(in: Self.root.appending(path: "Tests"), laws: laws)
  }

  @Test func `each law has a test that names only it or a few others too`() throws {
    #expect(laws.count > 40)
    for law in laws where !tests.contains(where: { $0.laws.contains(law) && !$0.isOfMany }) {
      Issue.record("\(law) has no test")
    }
  }

  @Test func `tests name only laws that exist`() throws {
    for test in tests {
      for law in test.laws where !laws.contains(law) { Issue.record("\(test.file): there is no \(law)") }
    }
  }

  @Test func `the page of the tests matches the sources`() throws {
    if ProcessInfo.processInfo.environment["ARBOR_WRITE_LAWS"] != nil {
      try page.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: Self.page, encoding: .utf8)
    let isSame = page == written
    #expect(isSame, "update it: ARBOR_WRITE_LAWS=1 swift test --filter LawTests")
  }

  private var page: String {
    var lines = [
      "# The tests of the laws", "",
      "Every law of [the laws](../Sources/Arbor/Arbor.docc/TheLaws.md), with the tests that check it.", "",
      "## Overview", "",
      "A test begins with the codes of its laws, and fails when one is broken. `swift test --filter 'O1 '` runs those",
      "whose last code is O1. This page is made of the sources, and a test compares both.", "",
      "Many laws at once are held by tests that play what is drawn by chance, against a model or from many threads:",
      "",
    ]
    lines += tests.filter(\.isOfMany).map(\.line)
    for law in laws {
      lines += ["", "## \(law)", ""]
      lines += tests.filter { $0.laws.contains(law) && !$0.isOfMany }.map(\.line)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
