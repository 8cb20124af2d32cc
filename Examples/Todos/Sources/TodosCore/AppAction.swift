/// What can happen: an enum a feature.
enum AppAction: Equatable, Sendable {
  case list(ListAction)
  case filter(FilterAction)
  case statistics(StatisticsAction)
  case importing(ImportAction)
  case editor(EditorAction)
}
