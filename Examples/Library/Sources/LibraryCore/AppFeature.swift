import Arbor

/// The whole program. Both features change the library, so both have the whole state.
let appFeature = Feature<AppState, AppAction>.combined(
  loadingFeature.scoped(to: \.self, action: AppAction.loading, extract: \.loading),
  lendingFeature.scoped(to: \.self, action: AppAction.lending, extract: \.lending)
)
