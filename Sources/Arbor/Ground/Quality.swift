internal import Dispatch

/// A quality of service that can be compared at once.
@usableFromInline
struct Quality: Comparable, Sendable {
  let service: DispatchQoS
  private let rank: Int

  init(_ service: DispatchQoS) {
    // What is outside this range is no priority, and the system stops a program that asks for it.
    let priority = min(max(service.relativePriority, -15), 0)
    self.service = DispatchQoS(qosClass: service.qosClass, relativePriority: priority)
    let rank =
      switch service.qosClass {
      case .background: 1
      case .utility: 2
      case .default: 3
      case .userInitiated: 4
      case .userInteractive: 5
      default: 0
      }
    self.rank = rank * 16 + priority
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
