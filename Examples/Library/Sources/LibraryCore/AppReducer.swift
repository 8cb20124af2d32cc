import Arbor

/// Changes the whole state: both features change the library.
let appReducer: Reducer<AppState, AppAction> = { state, action in
  switch action {
  case .loading(let action): loadingReducer(&state.loading, &state.library, action)
  case .lending(let action): lendingReducer(&state.refusal, &state.library, action)
  }
}
