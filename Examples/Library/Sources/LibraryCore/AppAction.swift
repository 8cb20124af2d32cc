/// What can happen: an enum a feature.
enum AppAction: Equatable, Sendable {
  case loading(LoadingAction)
  case lending(LendingAction)
}
