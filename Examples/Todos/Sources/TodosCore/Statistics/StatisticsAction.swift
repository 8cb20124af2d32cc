/// The actions of the statistics: they are derived, so they can only be shown.
enum StatisticsAction: Equatable, Sendable {
  case show
}
