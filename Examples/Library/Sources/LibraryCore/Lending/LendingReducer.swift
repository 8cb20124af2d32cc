import ArborEntities

/// Lends books and takes them back, or says why not.
func lendingReducer(_ refusal: inout LibraryError?, _ library: inout Library, _ action: LendingAction) {
  refusal = nil
  switch action {
  case .lend(let id, let person, let due):
    do {
      try library.lend(id, to: person, until: due)
    } catch {
      refusal = library.loans[id].map { .lent($0) } ?? .noBook(id)
    }
  case .return(let id):
    guard library.loans.remove(id) == nil else { return }
    refusal = library.books.contains(id: id) ? .notLent(id) : .noBook(id)
  }
}
