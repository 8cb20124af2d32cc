/// The actions of the filter.
enum FilterAction: Equatable, Sendable {
  /// Shows the list through a filter.
  case show(Filter)
}
