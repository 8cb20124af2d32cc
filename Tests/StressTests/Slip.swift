/// The part of an action that interceptors know. It fits into the line of a mutation.
struct Slip: Sendable, Hashable {
  /// The verdict that interceptors should give.
  enum Fate: UInt {
    case pass
    case drop
    case replace

    /// It has replaced another action.
    case isReplacement
  }

  /// The lane of actions from callbacks, tasks and ends of tokens: they have no order, and are never judged.
  static let noLane = 15

  let lane: Int

  /// The number of the action among all actions of its lane.
  let sequence: Int

  /// The number of lasting child stores that it passes on its way to the root.
  let depth: Int

  var fate = Fate.pass

  /// The level of the interceptor that drops or replaces it.
  var judge = 0

  /// `true` if it is the only action of its step, or the last of its batch.
  var closesStep = true

  static func inNoLane(_ sequence: Int = 0, depth: Int, closesStep: Bool = true) -> Slip {
    Slip(lane: noLane, sequence: sequence, depth: depth, closesStep: closesStep)
  }
}

extension Slip {
  /// The slip as a number.
  var line: UInt {
    UInt(lane) | UInt(depth) << 4 | fate.rawValue << 6 | UInt(judge) << 8 | (closesStep ? 1 << 10 : 0)
      | UInt(sequence) << 11
  }

  init(line: UInt) {
    lane = Int(line & 15)
    depth = Int(line >> 4 & 3)
    fate = Fate(rawValue: line >> 6 & 3)!
    judge = Int(line >> 8 & 3)
    closesStep = line >> 10 & 1 == 1
    sequence = Int(line >> 11)
  }
}
