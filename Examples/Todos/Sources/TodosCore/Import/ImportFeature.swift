import Arbor

/// Reads the items of a text file, and reports the number of lines read.
typealias ReadTexts =
  @Sendable (_ path: String, _ progress: @escaping @Sendable (_ lines: Int) -> Void) async throws -> [String]

/// The import of a text file.
///
/// - Parameter readTexts: Reads the file, while the store's queue stays free.
func importFeature(readTexts: @escaping ReadTexts) -> Feature<ImportState, ImportAction> {
  Feature(
    effects: { _, action in
      switch action {
      case .start(let path, let firstID):
        // If there are two imports, only the later one counts.
        .run(key: "import", mode: .dropCurrent) { dispatch in
          do {
            let texts = try await readTexts(path) { lines in dispatch(.progress(lines: lines)) }
            dispatch(.read(firstID: firstID, texts: texts))
          } catch {
            dispatch(.fail(reason: "\(path): \(error.reason)"))
          }
        }
      case .cancel: .cancel("import")
      case .progress, .read, .fail: .none
      }
    },
    reducer: { state, action in
      switch action {
      case .start: state = .reading(lines: 0)
      case .progress(let lines): state = .reading(lines: lines)
      case .read, .fail, .cancel: state = .idle
      }
    }
  )
}
