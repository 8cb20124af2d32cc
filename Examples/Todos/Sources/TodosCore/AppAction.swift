/// The actions of the program: an enum for each feature.
enum AppAction: Equatable, Sendable {
  case list(ListAction)
  case filter(FilterAction)
  case statistics(StatisticsAction)
  case importing(ImportAction)
  case editor(EditorAction)
}

/// The actions of the features that are scoped to these cases.
extension AppAction {
  var list: ListAction? { if case .list(let action) = self { action } else { nil } }
  var filter: FilterAction? { if case .filter(let action) = self { action } else { nil } }
  var importing: ImportAction? { if case .importing(let action) = self { action } else { nil } }
}
