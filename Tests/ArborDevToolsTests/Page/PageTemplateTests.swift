import ArborDevTools
import Foundation
import Testing

@Suite("The page's template")
struct PageTemplateTests {
  /// `true` to generate the Swift file again.
  private static let isWriting = ProcessInfo.processInfo.environment["ARBOR_WRITE_PAGE"] == "1"

  @Test func `the Swift file contains the page's files unchanged`() throws {
    let sources = try PageSources()
    if Self.isWriting { try sources.swift.write(to: PageSources.template, atomically: true, encoding: .utf8) }
    let isCurrent = try String(contentsOf: PageSources.template, encoding: .utf8) == sources.swift
    #expect(isCurrent, "PageTemplate.swift is out of date. To generate it again: \(PageSources.renewal)")
  }

  @Test(.disabled(if: isWriting, "the generated file is not compiled yet"))
  func `the template's parts are the parts of the page`() throws {
    let parts = [PageTemplate.beforeLive, PageTemplate.beforeRecording, PageTemplate.afterRecording].map(\.description)
    let isSame = try parts == PageSources().parts
    #expect(isSame, "PageTemplate.swift differs from its sources")
    #expect(parts[1].hasSuffix(#"<script type="application/json" id="recording">"#))
    #expect(parts[2].hasPrefix("</script>"))
  }

  @Test func `each file is in the page, and contains no markup that ends its element`() throws {
    let sources = try PageSources()
    #expect(sources.unnamed == [])
    for name in try FileManager.default.contentsOfDirectory(atPath: PageSources.folder.path) where name != "index.html"
    {
      let text = try String(contentsOf: PageSources.folder.appending(path: name), encoding: .utf8)
      #expect(!text.contains("</"), "\(name)")
      #expect(!text.contains("innerHTML") && !text.contains("eval("), "\(name)")
    }
  }

  @Test func `nothing in the page points to the network`() throws {
    let page = try PageSources().parts.joined()
    #expect(!page.contains("http:") && !page.contains("https:"))
    #expect(page.contains("default-src 'none'; script-src 'sha256-"))
    #expect(!page.contains("unsafe-inline") && !page.contains("-hash}"))
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `hashes equal those of the standard's examples`(text: String, digest: String) {
    let digits = SHA256.digest(of: text.utf8).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    #expect(digits.joined() == digest)
  }
}
