/// The actions of the program: an enum for each feature.
enum AppAction: Equatable, Sendable {
  case loading(LoadingAction)
  case lending(LendingAction)
}

/// The actions of the features that are scoped to these cases.
extension AppAction {
  var loading: LoadingAction? { if case .loading(let action) = self { action } else { nil } }
  var lending: LendingAction? { if case .lending(let action) = self { action } else { nil } }
}
