internal import Dispatch

extension DispatchQoS {
  /// Whether this quality of service is to be preferred over another one.
  func isAbove(_ other: DispatchQoS) -> Bool {
    (rank, relativePriority) > (other.rank, other.relativePriority)
  }

  private var rank: Int {
    switch qosClass {
    case .background: 1
    case .utility: 2
    case .default: 3
    case .userInitiated: 4
    case .userInteractive: 5
    default: 0
    }
  }
}
