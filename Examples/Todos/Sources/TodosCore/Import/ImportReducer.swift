/// Follows an import.
func importReducer(_ state: inout ImportState, _ action: ImportAction) {
  switch action {
  case .start: state = .reading(lines: 0)
  case .progress(let lines): state = .reading(lines: lines)
  case .end, .fail, .cancel: state = .idle
  }
}
