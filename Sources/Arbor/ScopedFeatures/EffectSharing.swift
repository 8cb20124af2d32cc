/// Decides where effects are performed, if several processes reduce the same actions. Used on the tree's queue only.
@usableFromInline
package protocol EffectSharing: AnyObject, Sendable {
  /// `true` while the effects of the reduced action are performed by another process.
  var isElsewhere: Bool { get }

  /// The same for a feature whose effects are performed by each process.
  var everywhere: any EffectSharing { get }

  /// The share of this process in an attempt of a job that begins now.
  func begin(_ job: String) -> EffectShare

  /// Returns `true` if an attempt goes on in a state that no action has made.
  func goesOn(_ job: String, _ share: EffectShare?) -> Bool

  /// Notes that an attempt follows another one that has failed.
  func resume(_ job: String, _ share: EffectShare)

  /// Notes that an attempt has ended.
  func end(_ job: String)

  /// The number of the next performer of state effects, from 1 on: the same one in each process.
  func nextPerformer() -> Int
}

/// The share of a process in an attempt of a job.
@usableFromInline
package struct EffectShare: Sendable {
  /// The process whose action has begun the attempt; nil if no process has.
  package let owner: UInt64?

  /// `true` if another process performs it.
  package let isElsewhere: Bool

  package init(owner: UInt64?, isElsewhere: Bool) {
    self.owner = owner
    self.isElsewhere = isElsewhere
  }
}
