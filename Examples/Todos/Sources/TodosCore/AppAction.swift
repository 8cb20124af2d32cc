/// What can happen: an enum a feature, and what concerns the program as a whole.
enum AppAction: Equatable, Sendable {
  case list(ListAction)
  case filter(FilterAction)
  case statistics(StatisticsAction)
  case importing(ImportAction)
  case editor(EditorAction)
  case help
  case reject(reason: String)
  case quit
}
