import Arbor

/// The whole program, made of its features.
///
/// - Parameter readTexts: Reads the items of a text file for an import; see ``importFeature(readTexts:)``.
func appFeature(readTexts: @escaping ReadTexts) -> Feature<AppState, AppAction> {
  Feature<AppState, AppAction>.combined(
    listFeature.scoped(to: \.list, action: AppAction.list, extract: \.list),
    filterFeature.scoped(to: \.filter, action: AppAction.filter, extract: \.filter),
    importFeature(readTexts: readTexts)
      .scoped(to: \.importing, action: AppAction.importing, extract: \.importing),
    // An import does not know the list: its items are added here.
    Feature(
      effects: { _, action in
        guard case .importing(.read(let firstID, let texts)) = action, !texts.isEmpty else { return .none }
        return .send(.list(.import(firstID: firstID, texts: texts)))
      }
    )
  )
}
