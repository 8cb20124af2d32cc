internal import Dispatch

/// A quality of service that can be compared at once, in as few bytes as can be.
@usableFromInline
struct Quality: Comparable, Sendable {
  static let unspecified = Quality(.unspecified)

  /// The classes in their order; each has sixteen priorities, of which the last is the class's own.
  private static let classes: [DispatchQoS.QoSClass] = [
    .unspecified, .background, .utility, .default, .userInitiated, .userInteractive,
  ]

  private let rank: Int

  init(_ service: DispatchQoS) {
    // What is outside this range is no priority, and the system stops a program that asks for it.
    let priority = min(max(service.relativePriority, -15), 0)
    rank = (Quality.classes.firstIndex(of: service.qosClass) ?? 0) * 16 + priority
  }

  var service: DispatchQoS {
    let index = (rank + 15) / 16
    return DispatchQoS(qosClass: Quality.classes[index], relativePriority: rank - index * 16)
  }

  @usableFromInline
  static func < (left: Quality, right: Quality) -> Bool {
    left.rank < right.rank
  }
}
