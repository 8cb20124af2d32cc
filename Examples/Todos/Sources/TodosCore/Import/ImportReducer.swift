/// Follows an import. The items come as an action of the list.
func importReducer(_ state: inout ImportState, _ action: ImportAction) {
  switch action {
  case .start: state = .reading(lines: 0)
  case .progress(let lines): state = .reading(lines: lines)
  case .finish, .fail: state = .idle
  }
}
