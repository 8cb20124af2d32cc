import Dispatch
import Foundation

/// Reads the files of imports.
enum Importer {
  /// Reads on another thread: a file may be a pipe without a writer, and no thread of the tasks should wait for one.
  @Sendable
  static func readTexts(
    at path: String,
    progress: @escaping @Sendable (_ lines: Int) -> Void
  ) async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try texts(at: path, progress: progress) })
      }
    }
  }

  /// The nonempty lines of a text file, without spaces around them.
  private static func texts(at path: String, progress: (_ lines: Int) -> Void) throws -> [String] {
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
