import Foundation
import Testing

/// A tutorial in DocC's format: its steps, as described by the text.
struct Tutorial {
  /// A state of the program that a reader has typed in.
  struct Step: CustomTestStringConvertible {
    /// The name of the file with the step's code, without its extension: `birds-05`.
    let name: String

    /// The name of the step's code in the reader's package: `main.swift`.
    let file: String

    /// The files of the reader's package after this step, by their names.
    let files: [String: URL]

    /// The lines that the program prints, for each run.
    let outputs: [String]

    var testDescription: String { name }
  }

  let steps: [Step]

  /// The folder with the files that the steps show.
  let code: URL

  /// The tutorials of all modules, in the order of their names.
  static let all: [Tutorial] = {
    let sources = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let names = FileManager.default.subpaths(atPath: sources.path) ?? []
    return names.filter { $0.hasSuffix(".tutorial") }.sorted()
      .compactMap { try? Tutorial(contentsOf: sources.appending(path: $0)) }
      .filter { !$0.steps.isEmpty }
  }()

  init(contentsOf url: URL) throws {
    code = url.deletingLastPathComponent().appending(path: "Code")
    var steps: [Step] = []
    for text in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "@Step {").dropFirst() {
      guard let shown = text.firstMatch(of: /@Code\(name: "([^"]+)", file: "([^"]+)\.swift"/) else { continue }
      let (file, name) = (String(shown.1), String(shown.2))
      var files = steps.last?.files ?? [:]
      files[file] = code.appending(path: "\(name).swift")
      let outputs = Self.outputs(in: text, before: steps.last { !$0.outputs.isEmpty }?.outputs.last ?? "")
      steps.append(Step(name: name, file: file, files: files, outputs: outputs))
    }
    self.steps = steps
  }

  /// The printed lines in a text: the code after the word, up to the end of the paragraph or to the next such word.
  private static func outputs(in text: String, before: String) -> [String] {
    text.components(separatedBy: "\n\n").flatMap { paragraph in
      let isMore = paragraph.contains("After the earlier lines")
      return paragraph.components(separatedBy: "prints").dropFirst().map { sentence in
        (isMore ? before : "") + sentence.matches(of: /`([^`]+)`/).map { $0.1 + "\n" }.joined()
      }
    }
  }
}
