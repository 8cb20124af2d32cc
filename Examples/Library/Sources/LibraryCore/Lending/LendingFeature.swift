import Arbor
import ArborEntities

/// Lends books and takes them back, or records why not.
let lendingFeature = Feature<AppState, LendingAction> { state, action in
  state.refusal = nil
  switch action {
  case .lend(let id, let person, let due):
    do {
      try state.library.lend(id, to: person, until: due)
    } catch {
      state.refusal = state.library.loans[id].map { .lent($0) } ?? .noBook(id)
    }
  case .return(let id):
    guard state.library.loans.remove(id) == nil else { return }
    state.refusal = state.library.books.contains(id: id) ? .notLent(id) : .noBook(id)
  }
}
