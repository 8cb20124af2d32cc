internal import Dispatch

/// A quality of service as a single number, which is small and fast to compare.
@usableFromInline
struct Quality: Comparable, Sendable {
  static let unspecified = Quality(.unspecified)

  /// The classes, in ascending order. Each has sixteen relative priorities, from -15 to 0, which is the default.
  private static let classes: [DispatchQoS.QoSClass] = [
    .unspecified, .background, .utility, .default, .userInitiated, .userInteractive,
  ]

  private let rank: Int

  init(_ service: DispatchQoS) {
    // The system stops a program that asks for a relative priority outside this range.
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
