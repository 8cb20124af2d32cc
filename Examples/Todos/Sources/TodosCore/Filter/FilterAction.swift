/// What can happen to the filter.
enum FilterAction: Equatable, Sendable {
  /// Shows the list through a filter.
  case show(Filter)
}
