import Arbor
import Dispatch
import Foundation

/// Reads the file of an import, while the store's queue stays free.
enum Importer {
  static let key = "import"

  /// Reads the file, and dispatches what comes of it: of the last one only, if another one is begun meanwhile.
  static func effect(path: String, firstID: Int) -> Effect<AppAction> {
    .run(key: key, mode: .dropCurrent) { dispatch in
      let file = await read(path) { lines in dispatch(.importing(.progress(lines: lines))) }
      switch file {
      case .success([]): dispatch(.importing(.end))
      case .success(let texts): dispatch(.list(.import(firstID: firstID, texts: texts)))
      case .failure(let error): dispatch(.importing(.fail(reason: "\(path): \(error.reason)")))
      }
    }
  }

  /// Reads elsewhere: a file may be a pipe to which nobody writes, and no thread of the tasks is to wait for that.
  private static func read(
    _ path: String,
    progress: @escaping @Sendable (_ lines: Int) -> Void
  ) async -> Result<[String], any Error> {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: Result { try readTexts(at: path, progress: progress) })
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
