import Arbor

/// What is to be done because of an action, and takes time.
let appEffects: @Sendable (AppState, AppAction) -> Effect<AppAction> = { _, action in
  switch action {
  case .importing(.start(let path, let firstID)): Importer.effect(path: path, firstID: firstID)
  case .importing(.cancel): .cancel(Importer.key)
  default: .none
  }
}
