import Dispatch
import Foundation

/// The side effect of an import: reads the file elsewhere, while the store's queue stays free.
enum Importer {
  /// Starts to read when an import starts, and dispatches what comes of it.
  static func intercept(_ action: ImportAction, dispatch: @escaping @Sendable (AppAction) -> Void) {
    guard case .start(let path, let firstID) = action else { return }
    DispatchQueue.global().async {
      do {
        let texts = try readTexts(at: path) { lines in dispatch(.importing(.progress(lines: lines))) }
        if !texts.isEmpty { dispatch(.list(.import(firstID: firstID, texts: texts))) }
        dispatch(.importing(.finish(items: texts.count)))
      } catch {
        dispatch(.importing(.fail(reason: "\(path): \(error.reason)")))
      }
    }
  }

  /// The lines of a text file that are not empty, without the blanks around them.
  private static func readTexts(at path: String, progress: (_ lines: Int) -> Void) throws -> [String] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    guard let text = String(data: try file.readToEnd() ?? Data(), encoding: .utf8) else {
      throw CocoaError(.fileReadInapplicableStringEncoding)
    }
    var texts: [String] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      if index > 0, index.isMultiple(of: 10_000) { progress(index) }
      let text = line.trimmingCharacters(in: .whitespaces)
      if !text.isEmpty { texts.append(text) }
    }
    return texts
  }
}
