/// Puts the rows of the catalogue into the library, and follows how far that is.
func loadingReducer(_ state: inout LoadingState, _ library: inout Library, _ action: LoadingAction) {
  switch action {
  case .rows(let rows, let bytes):
    state.bytes = bytes
    state.problems = []
    for row in rows {
      do {
        try library.add(row.entry.get())
        state.loaded += 1
      } catch {
        state.problems.append(CatalogueProblem(line: row.line, reason: "\(error)"))
        state.skipped += 1
      }
    }
  case .refuse:
    library = Library()
  }
}
