package import Arbor

/// Decides at which client of a shared store effects are performed. Used on the tree's queue only.
///
/// - The effects of an action are performed by its sender, a job by the client whose action has begun it. All clients know
///   whose each job is, so that one which comes back, or begins at a snapshot, knows it as well.
package final class ClientEffects: EffectSharing, @unchecked Sendable {
  // Sendable because one tree has it, and uses it on its serial queue only.

  /// A client, by the number of its incarnation.
  package typealias Client = UInt64

  /// The part that all features of the shared store have in common.
  private final class Common {
    /// The sender of the action that is confirmed; nil where the state is not that of an action.
    var sender: Client?

    /// `true` if the effects of that action are asked for.
    var asksForEffects = false

    /// The incarnations of this client.
    var own: Set<Client> = []

    /// The owners of the jobs that are in progress.
    var owners: [String: Client] = [:]

    /// The same for the jobs of a state that is not that of an action, while it is looked at; nil otherwise.
    var given: [String: Client]?

    /// The number of performers of state effects that were made.
    var performers = 0
  }

  private let common: Common

  /// `true` if the effects are performed by all clients.
  private let isEverywhere: Bool

  private init(_ common: Common, isEverywhere: Bool) {
    self.common = common
    self.isEverywhere = isEverywhere
  }

  package convenience init() {
    self.init(Common(), isEverywhere: false)
  }

  /// The same for a feature whose effects are performed by all clients.
  package var everywhere: any EffectSharing { ClientEffects(common, isEverywhere: true) }

  /// The owners of the jobs that are in progress, by the names of the jobs.
  package var owners: [String: Client] { common.owners }

  /// Calls a body in which effects are performed because of an action.
  ///
  /// - Parameters:
  ///   - sender: The client that has sent it; nil if all jobs of the state have their owners.
  ///   - asksForEffects: `false` if the effects of the action are another client's, or were performed before.
  ///   - own: The incarnations of this client.
  package func perform(
    actionOf sender: Client?,
    asksForEffects: Bool,
    own: Set<Client>,
    _ body: () -> Void
  ) {
    (common.sender, common.asksForEffects, common.own) = (sender, asksForEffects, own)
    body()
    (common.sender, common.asksForEffects) = (nil, false)
  }

  /// Calls a body in which effects are performed because of a state, of which the owners of all jobs are given.
  ///
  /// - Parameters:
  ///   - asksForEffects: `false` if the effects of what has changed in it are another client's, or were performed before.
  ///   - own: The incarnations of this client.
  package func perform(
    stateWithJobsOf owners: [String: Client],
    asksForEffects: Bool,
    own: Set<Client>,
    _ body: () -> Void
  ) {
    (common.given, common.asksForEffects, common.own) = (owners, asksForEffects, own)
    body()
    (common.given, common.asksForEffects) = (nil, false)
  }

  /// `true` while another client performs the effects of the reduced action.
  package var isElsewhere: Bool { !common.asksForEffects && !isEverywhere }

  /// The share in an attempt that begins now.
  package func begin(_ job: String) -> EffectShare {
    let owner = common.sender ?? common.given?[job]
    let share = EffectShare(owner: owner, isElsewhere: !isEverywhere && !common.own.contains { $0 == owner })
    resume(job, share)
    return share
  }

  /// Returns `true` if an attempt goes on in a state that is not that of an action: it may be another one there.
  package func goesOn(_ job: String, _ share: EffectShare?) -> Bool {
    guard let given = common.given else { return true }
    return given[job] == share?.owner
  }

  /// Notes that an attempt follows another one that has failed.
  package func resume(_ job: String, _ share: EffectShare) {
    common.owners[job] = share.owner
  }

  package func end(_ job: String) {
    common.owners[job] = nil
  }

  /// The number of the next performer of state effects, from 1 on: the same one in each process.
  package func nextPerformer() -> Int {
    common.performers += 1
    return common.performers
  }
}
