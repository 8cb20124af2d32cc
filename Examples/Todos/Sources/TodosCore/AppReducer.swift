import Arbor

/// Changes the whole state: each feature's part of it.
let appReducer: Reducer<AppState, AppAction> = { state, action in
  switch action {
  case .list(let action): listReducer(&state.list, action)
  case .filter(let action): filterReducer(&state.filter, action)
  case .importing(let action): importReducer(&state.importing, action)
  case .statistics: break
  case .editor: break  // the draft is the editor's own state, in a child store
  }
  if case .list(.import) = action { importReducer(&state.importing, .end) }
}
