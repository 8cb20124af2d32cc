internal import Dispatch

/// A quality of service that can be compared at once.
@usableFromInline
struct Quality: Comparable, Sendable {
  let service: DispatchQoS
  private let rank: Int

  init(_ service: DispatchQoS) {
    self.service = service
    let rank =
      switch service.qosClass {
      case .background: 1
      case .utility: 2
      case .default: 3
      case .userInitiated: 4
      case .userInteractive: 5
      default: 0
      }
    // Relative priorities are between -15 and 0.
    self.rank = rank * 16 + service.relativePriority
  }

  @usableFromInline
  static func == (left: Quality, right: Quality) -> Bool {
    left.rank == right.rank
  }

  @usableFromInline
  static func < (left: Quality, right: Quality) -> Bool {
    left.rank < right.rank
  }
}
