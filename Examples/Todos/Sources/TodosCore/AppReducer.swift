import Arbor

/// Changes the whole state: first each feature's part of it, then what the screen is to print.
let appReducer: Reducer<AppState, AppAction> = combine(featuresReducer, outputReducer)

private func featuresReducer(_ state: inout AppState, _ action: AppAction) {
  switch action {
  case .list(let action): listReducer(&state.list, action)
  case .filter(let action): filterReducer(&state.filter, action)
  case .importing(let action): importReducer(&state.importing, action)
  case .statistics, .help, .reject, .quit: break
  case .editor: break  // the draft is the editor's own state, in a child store
  }
}

private func outputReducer(_ state: inout AppState, _ action: AppAction) {
  state.output = Output(of: action)
}
