/// Decides where effects are performed if several processes reduce the same actions. Only used on the tree's queue.
@usableFromInline
package protocol EffectSharing: AnyObject, Sendable {
  /// `true` while another process performs the effects of the reduced action.
  var isElsewhere: Bool { get }

  /// The sharing for a feature whose effects every process performs.
  var everywhere: any EffectSharing { get }

  /// Returns this process's share in an attempt of a job that begins now.
  func begin(_ job: String) -> EffectShare

  /// Returns `true` if an attempt continues in a state that doesn't result from an action.
  func goesOn(_ job: String, _ share: EffectShare?) -> Bool

  /// Records that an attempt follows another one that failed.
  func resume(_ job: String, _ share: EffectShare)

  /// Records that an attempt has ended.
  func end(_ job: String)

  /// Returns the number of the next performer of state effects, from 1: the same number in each process.
  func nextPerformer() -> Int
}

/// The share of a process in an attempt of a job.
@usableFromInline
package struct EffectShare: Sendable {
  /// The process whose action began the attempt; nil if there is none.
  package let owner: UInt64?

  /// `true` if another process performs it.
  package let isElsewhere: Bool

  package init(owner: UInt64?, isElsewhere: Bool) {
    self.owner = owner
    self.isElsewhere = isElsewhere
  }
}
