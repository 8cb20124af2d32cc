import Foundation

/// The page's files, and the rule that turns them into one Swift file.
///
/// - `<!-- style: a.css b.css -->` becomes a style element with these files, and `<!-- script: … -->` a script element.
/// - `{style-hash}` and `{script-hash}` become the hashes with which the page's policy only allows these two elements.
/// - The page is split at `<!-- live -->` and `<!-- recording -->`.
struct PageSources {
  /// The folder of the page's files.
  static let folder = root.appending(path: "Sources/ArborDevTools/Page/Web")

  /// The checked-in file that is generated from them.
  static let template = root.appending(path: "Sources/ArborDevTools/Page/PageTemplate.swift")

  private static let root =
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL

  /// The files that index.html doesn't mention; none if all of them are in the page.
  let unnamed: [String]

  /// The three parts of the page.
  let parts: [String]

  init() throws {
    var page = try Self.text("index.html")
    var named: Set<String> = ["index.html"]
    for kind in ["style", "script"] {
      let opening = page.range(of: "<!-- \(kind): ")!
      let closing = page.range(of: " -->", range: opening.upperBound..<page.endIndex)!
      let names = page[opening.upperBound..<closing.lowerBound].split(separator: " ").map(String.init)
      let content = "\n" + (try names.map(Self.text).joined())
      named.formUnion(names)
      page.replaceSubrange(opening.lowerBound..<closing.upperBound, with: "<\(kind)>\(content)</\(kind)>")
      let hash = Data(SHA256.digest(of: content.utf8)).base64EncodedString()
      page = page.replacingOccurrences(of: "{\(kind)-hash}", with: "sha256-\(hash)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    unnamed = names.filter { !named.contains($0) }.sorted()
    let atLive = page.components(separatedBy: "<!-- live -->")
    parts = [atLive[0]] + atLive[1...].joined().components(separatedBy: "<!-- recording -->")
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// The text of the Swift file.
  var swift: String {
    let names = ["beforeLive", "beforeRecording", "afterRecording"]
    let summaries = [
      "The page up to where a live page names its program.", "The page from there up to the recording.",
      "The page from the recording on.",
    ]
    let members = zip(zip(names, summaries), parts).map { head, part in
      "  /// \(head.1)\n  package static let \(head.0): StaticString = ###\"\"\"\n\(part)\n\"\"\"###"
    }
    return """
      // swift-format-ignore-file
      // Generated from the files in Web by PageTemplateTests: change those, and run
      // \(Self.renewal)

      /// The page of a recording, but for the recording.
      package enum PageTemplate {
      \(members.joined(separator: "\n\n"))
      }

      """
  }

  /// The command that generates the Swift file again.
  static let renewal = "ARBOR_WRITE_PAGE=1 swift test --filter PageTemplateTests"
}
