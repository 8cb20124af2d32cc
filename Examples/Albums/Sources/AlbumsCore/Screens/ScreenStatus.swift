import ArborRequests

/// The state of an answer, which a screen shows next to the answer.
enum ScreenStatus: Equatable, Sendable, CustomStringConvertible {
  /// There is no answer yet.
  case loading

  /// There is an older answer.
  case refreshing
  case loadingPage
  case fresh
  case stale

  /// There may be an older answer.
  case offline
  case failed(String)

  init(_ state: RequestState<some Sendable>, isOnline: Bool) {
    if state.isFetching {
      let isFirst = state.value == nil || state.isPrevious
      self = state.fetchedPage != nil ? .loadingPage : isFirst ? .loading : .refreshing
    } else if !isOnline {
      self = .offline
    } else if let failure = state.failure {
      self = .failed(failure.reason)
    } else {
      self = state.value == nil ? .loading : state.isStale ? .stale : .fresh
    }
  }

  var description: String {
    switch self {
    case .loading: "loading"
    case .refreshing: "refreshing"
    case .loadingPage: "loading a page"
    case .fresh: "up to date"
    case .stale: "stale"
    case .offline: "offline"
    case .failed(let reason): "failed, because \(reason)"
    }
  }

  var isInProgress: Bool { [.loading, .refreshing, .loadingPage].contains(self) }
}
