internal import Arbor

/// The gate that a recorder closes while its tree shows another moment than the present.
///
/// - Actions wait at the tree's gate, unless they are dropped, and so do activities, the work of state effects, events for
///   monitors, and releases, which follow the actions that were accepted before them. If anything waits, so does what
///   must not overtake it (``WaitingEntry/Kind/following(needsPresent:)``). Everything else goes on: subscriptions, and
///   waits that read the state.
final class Travel: EntryGate {
  /// `true` if actions that arrive are dropped, `false` if they wait.
  let dropsActions: Bool

  private let comeBack: @Sendable (_ isReleased: Bool) -> Void
  private let isEnding = AtomicFlag(false)
  private let actions = AtomicNumber(0)

  /// - Parameter comeBack: Brings the tree back to the present. Called for a caller who waits for a step of its own, or,
  ///   with `true`, as the root was released.
  init(dropsActions: Bool, comeBack: @escaping @Sendable (_ isReleased: Bool) -> Void) {
    self.dropsActions = dropsActions
    self.comeBack = comeBack
  }

  /// The number of actions that wait; a batch counts as one. From any thread.
  var heldActions: Int { actions.loadRelaxed() }

  /// Ends the moment: the stores have their present states again.
  func end() { isEnding.store(true) }

  var showsMoment: Bool { !isEnding.load() }

  func blocks(_ kind: WaitingEntry.Kind) -> Bool {
    switch kind {
    case .actions:
      if !dropsActions { actions.add(1) }
      return !dropsActions
    case .awaitedActions, .subscription, .following, .other: return false
    case .activity, .effect, .event, .release: return true
    }
  }

  func open(isRootGone: Bool) { comeBack(isRootGone) }
}
