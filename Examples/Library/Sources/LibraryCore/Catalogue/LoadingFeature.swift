import Arbor

/// Adds the rows of the catalog to the library, and records the progress.
let loadingFeature = Feature<AppState, LoadingAction> { state, action in
  switch action {
  case .rows(let rows, let bytes):
    state.loading.bytes = bytes
    state.loading.problems = []
    for row in rows {
      do {
        try state.library.add(row.entry.get())
        state.loading.loaded += 1
      } catch {
        state.loading.problems.append(CatalogueProblem(line: row.line, reason: "\(error)"))
        state.loading.skipped += 1
      }
    }
  case .refuse:
    // The loans do not belong to the catalog.
    state.library = Library(loans: state.library.loans)
  }
}
