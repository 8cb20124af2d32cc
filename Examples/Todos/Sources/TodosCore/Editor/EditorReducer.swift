/// Changes the draft.
func editorReducer(_ state: inout Draft, _ action: EditorAction) {
  switch action {
  case .text(let text): state.text = text
  }
}
