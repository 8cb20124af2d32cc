import Arbor
import Dispatch

/// Loads the catalog, while the store's queue stays free.
enum Importer {
  /// Reads to the end. Each piece is in the state before the next one is read, so there is never more than one in
  /// memory.
  static func start(_ reader: CatalogueReader, in store: Store<AppState, AppAction>) -> StoreTask<Void> {
    store.task(key: "import", mode: .keepCurrent) { _ in
      var reader = reader
      while let rows = try await next(of: &reader) {
        // A long line may have pieces without a line break.
        guard !rows.isEmpty else { continue }
        await store.dispatchAndWait(.loading(.rows(rows, bytes: reader.bytes)))
      }
    }
  }

  /// Reads on another thread: a pipe may have no writer, and no thread of the tasks should wait for one.
  private static func next(of reader: inout CatalogueReader) async throws -> [CatalogueRow]? {
    let before = reader
    let (rows, after) = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        var reader = before
        continuation.resume(with: Result { (try reader.next(), reader) })
      }
    }
    reader = after
    return rows
  }
}
