/// The hook of a tree's monitors: a listener to its events, and to its actions if it wants to know of them.
///
/// - On the tree's queue, where nothing else says so.
@usableFromInline
package protocol TreeListener: AnyObject, Sendable {
  /// The time since the tree was made, on the tree's clock. From any thread.
  var time: Duration { get }

  /// Reports an event that happened at a time.
  func report(_ event: TreeEvent, at time: Duration)

  /// `true` if a monitor may close the tree's gate, and show other moments than the present. From any thread.
  var mayShowMoments: Bool { get }

  /// Called before the tree shows another moment than the present.
  func willLeavePresent()

  /// Called when the present is shown again: the states are those that were left, or new ones.
  func didReturnToPresent(withNewStates: Bool)

  /// Called when a change was made whose caller waits for it, by the reducers of the running action.
  func didApplyCommit()

  /// `true` if causes are wanted. It never changes.
  var wantsCauses: Bool { get }

  // MARK: Actions

  // The listener keeps notes on the actions of the running step: one action, or those of a batch, which begin one after
  // the other and end together. What happens on the way happens to the last one that has begun. The node is that to which
  // the action was sent; the kernel's hook does not know its type.

  /// `true` if the listener wants to know of actions. It never changes.
  var tracesActions: Bool { get }

  /// The time at which an action is accepted; `none` if its times are not wanted. From any thread.
  func timeOfAcceptance() -> TreeTime

  /// Called when the turn of an action has come.
  func didBegin<Action: Sendable>(_ action: UnsafePointer<Action>, _ stamp: ActionStamp, at node: AnyObject)

  /// Called after an interceptor has replaced the action by another one.
  func didReplace(by action: any Sendable)

  /// Called when the action has come to a point on its way.
  func didPass(_ point: TracePoint, at node: AnyObject)

  /// Called with each action of a step, in order, after the whole step, which may have been none.
  func didEnd<Action: Sendable>(_ action: UnsafePointer<Action>, isLastOfStep: Bool, at node: AnyObject)
}

extension TreeListener {
  /// Reports an event that happens right now.
  package func report(_ event: TreeEvent) { report(event, at: time) }
}

/// An event in a tree, apart from its actions, for a listener.
@usableFromInline
package enum TreeEvent: Sendable {
  case nodeMade(NodeIdentity)

  /// The node's owner was released. Its observers have ended, too, without events of their own.
  case nodeGone(NodeIdentity)
  case observerMade(in: NodeIdentity)
  case observerGone(in: NodeIdentity)

  /// An event of a capability, which the listener knows.
  case other(any Sendable)
}

/// A tree's listener as an object. It is called for each action, and a reference to a protocol in a variable of the tree
/// would be retained each time.
@usableFromInline
final class ListenerBox: Sendable {
  let listener: any TreeListener

  init(_ listener: any TreeListener) {
    self.listener = listener
  }
}

/// The stamp of an action that a listener traces: made when the action is accepted, and kept with it in the mailbox.
@usableFromInline
package struct ActionStamp: Sendable {
  @usableFromInline package let accepted: TreeTime
  @usableFromInline package let cause: ActionCause

  @usableFromInline
  init(accepted: TreeTime, cause: ActionCause) {
    self.accepted = accepted
    self.cause = cause
  }
}

/// A point on the way of an action, which a listener can note.
@usableFromInline
package enum TracePoint: Sendable {
  /// The interceptors have been called, if there are any; only for an action that goes in stages.
  case intercepted

  /// The reducers have been called.
  case reduced

  /// Effects were performed.
  case performed

  /// The observers of a batch are about to be called. Those of a single action follow at once.
  case observing

  /// The observers have been called.
  case observed

  /// The action turns out to be no step.
  case noStep(NoStepReason)
}

/// The reason why an action was no step.
@usableFromInline
package enum NoStepReason: Sendable {
  /// An interceptor has dropped the action.
  case dropped

  /// The step was saved, as an interceptor holds the action.
  case saved

  /// The action's sender was revoked.
  case revoked

  /// The action contained mutations, all of which have failed.
  case failed
}

/// Nanoseconds since a tree was made, or `none` where the time was not read.
///
/// An `Int64` instead of a `Duration`, which takes too long to compute for every action.
@usableFromInline
package struct TreeTime: Sendable {
  @inlinable package static var none: TreeTime { TreeTime(nanoseconds: .min) }

  @usableFromInline package let nanoseconds: Int64

  @inlinable
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time after a duration since the tree was made. Durations of more than three centuries are clamped.
  @usableFromInline
  package init(_ duration: Duration) {
    nanoseconds = duration.clampedNanoseconds
  }

  package var duration: Duration { .nanoseconds(nanoseconds) }

  @inlinable
  package var isRead: Bool { nanoseconds != .min }

  /// Returns a function of the time since this call, on a clock.
  package static func stopwatch(on clock: any Clock<Duration>) -> @Sendable () -> TreeTime {
    // The existential is opened once, and not at each reading.
    func stopwatch<C: Clock>(on clock: C) -> @Sendable () -> TreeTime where C.Duration == Duration {
      let start = clock.now
      return { TreeTime(start.duration(to: clock.now)) }
    }
    guard clock is ContinuousClock else { return stopwatch(on: clock) }
    // The same clock, read as nanoseconds: reading it as a `Duration` takes ten times as long.
    let start = Platform.continuousTime
    return { TreeTime(nanoseconds: Platform.continuousTime - start) }
  }

  /// The nanoseconds since another time; none if either time was not read, or if the clock went backwards.
  @inlinable
  package func since(_ other: TreeTime) -> Int64 {
    // A time that was not read is before every other.
    guard nanoseconds > other.nanoseconds, other.isRead else { return 0 }
    let (difference, isTooLong) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return isTooLong ? .max : difference
  }
}

extension Duration {
  /// The whole nanoseconds, at most as many as in three centuries, forward or back.
  package var clampedNanoseconds: Int64 {
    // Longer durations may have more seconds than `components` can give.
    guard self < .nanoseconds(Int64.max) else { return .max }
    guard self > .nanoseconds(Int64.min) else { return .min }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
