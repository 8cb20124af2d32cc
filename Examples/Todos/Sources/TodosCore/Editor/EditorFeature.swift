import Arbor

/// The editor of an item: its draft is the state of a child store, which lives as long as the edit.
let editorFeature = Feature<Draft, EditorAction> { draft, action in
  switch action {
  case .text(let text): draft.text = text
  }
}
