/// The hook of a tree's monitors: it receives the tree's events, and its actions if it traces them.
///
/// - Its members are used on the tree's queue unless they say otherwise.
@usableFromInline
package protocol TreeListener: AnyObject, Sendable {
  /// The time since the tree was made, on the tree's clock. May be read from any thread.
  var time: Duration { get }

  /// Reports an event that happened at a time.
  func report(_ event: TreeEvent, at time: Duration)

  /// `true` if a monitor may close the tree's gate, and show moments other than the present. May be read from any
  /// thread.
  var mayShowMoments: Bool { get }

  /// Called before the tree shows a moment other than the present.
  func willLeavePresent()

  /// Called when the present is shown again, with its previous states or with new ones.
  func didReturnToPresent(withNewStates: Bool)

  /// Called when the reducers of the running action made a change whose caller waits for it.
  func didApplyCommit()

  /// `true` if the listener wants causes. It never changes.
  var wantsCauses: Bool { get }

  // MARK: Actions

  // The listener keeps a record of the actions of the running step: one action, or those of a batch, which begin one
  // after the other and end together. Calls in between refer to the last action that has begun. The node is the one to
  // which the action was sent; the kernel's hook doesn't know its type.

  /// `true` if the listener traces actions. It never changes.
  var tracesActions: Bool { get }

  /// Returns the time at which an action is accepted; `none` if its times aren't needed. May be called from any thread.
  func timeOfAcceptance() -> TreeTime

  /// Called when the turn of an action has come.
  func didBegin<Action: Sendable>(_ action: UnsafePointer<Action>, _ stamp: ActionStamp, at node: AnyObject)

  /// Called after an interceptor replaced the action with another one.
  func didReplace(by action: any Sendable)

  /// Called when the action has reached a point on its way.
  func didPass(_ point: TracePoint, at node: AnyObject)

  /// Called with each action of a step, in order, after the whole step, even if it turned out not to be one.
  func didEnd<Action: Sendable>(_ action: UnsafePointer<Action>, isLastOfStep: Bool, at node: AnyObject)
}

extension TreeListener {
  /// Reports an event that happens right now.
  package func report(_ event: TreeEvent) { report(event, at: time) }
}

/// An event in a tree for a listener, except for its actions.
@usableFromInline
package enum TreeEvent: Sendable {
  case nodeMade(NodeIdentity)

  /// The node's owner was released. Its observers have also ended, without events of their own.
  case nodeGone(NodeIdentity)
  case observerMade(in: NodeIdentity)
  case observerGone(in: NodeIdentity)

  /// An event of a capability that the listener knows.
  case other(any Sendable)
}

/// A tree's listener as an object. It is called for each action, and a variable with a protocol's type would be
/// retained each time.
@usableFromInline
final class ListenerBox: Sendable {
  let listener: any TreeListener

  init(_ listener: any TreeListener) {
    self.listener = listener
  }
}

/// The stamp of an action that a listener traces. It is made when the action is accepted, and kept with the action in
/// the mailbox.
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

/// A point on the way of an action that a listener can record.
@usableFromInline
package enum TracePoint: Sendable {
  /// The interceptors were called, if there are any. Only for an action that goes in stages.
  case intercepted

  /// The reducers were called.
  case reduced

  /// Effects were performed.
  case performed

  /// The observers of a batch are about to be called. The observers of a single action follow at once.
  case observing

  /// The observers were called.
  case observed

  /// The action turned out not to be a step.
  case noStep(NoStepReason)
}

/// The reason why an action wasn't a step.
@usableFromInline
package enum NoStepReason: Sendable {
  /// An interceptor dropped the action.
  case dropped

  /// The step was saved, because an interceptor holds the action.
  case saved

  /// The action's sender was revoked.
  case revoked

  /// The action contained mutations, and all of them failed.
  case failed
}

/// Nanoseconds since a tree was made, or `none` if the time wasn't read.
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

  /// Makes the time after a duration since the tree was made. Durations of more than three centuries are clamped.
  @usableFromInline
  package init(_ duration: Duration) {
    nanoseconds = duration.clampedNanoseconds
  }

  package var duration: Duration { .nanoseconds(nanoseconds) }

  @inlinable
  package var isRead: Bool { nanoseconds != .min }

  /// Returns a function that returns the time since this call, on a clock.
  package static func stopwatch(on clock: any Clock<Duration>) -> @Sendable () -> TreeTime {
    // The existential is opened once instead of at each reading.
    func stopwatch<C: Clock>(on clock: C) -> @Sendable () -> TreeTime where C.Duration == Duration {
      let start = clock.now
      return { TreeTime(start.duration(to: clock.now)) }
    }
    guard clock is ContinuousClock else { return stopwatch(on: clock) }
    // The same clock, read in nanoseconds: reading it as a `Duration` takes ten times as long.
    let start = Platform.continuousTime
    return { TreeTime(nanoseconds: Platform.continuousTime - start) }
  }

  /// Returns the nanoseconds since another time; 0 if either time wasn't read, or if the clock went backward.
  @inlinable
  package func since(_ other: TreeTime) -> Int64 {
    // A time that wasn't read is before every other time.
    guard nanoseconds > other.nanoseconds, other.isRead else { return 0 }
    let (difference, isTooLong) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return isTooLong ? .max : difference
  }
}

extension Duration {
  /// The whole nanoseconds, limited to three centuries in either direction.
  package var clampedNanoseconds: Int64 {
    // Longer durations may have more seconds than `components` can return.
    guard self < .nanoseconds(Int64.max) else { return .max }
    guard self > .nanoseconds(Int64.min) else { return .min }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
