package import Arbor

/// Decides which client of a shared store performs effects. Used only on the tree's queue.
///
/// - The sender of an action performs its effects. The client whose action has begun a job performs the job. All clients know
///   the owner of each job, even after they come back or start with a snapshot.
package final class ClientEffects: EffectSharing, @unchecked Sendable {
  // Sendable because it belongs to one tree, which uses it only on its serial queue.

  /// A client, identified by its incarnation.
  package typealias Client = UInt64

  /// The values that all features of the shared store have in common.
  private final class Common {
    /// The sender of the action being confirmed; nil while the state doesn't come from an action.
    var sender: Client?

    /// `true` if this client should perform the effects of that action.
    var asksForEffects = false

    /// The incarnations of this client.
    var own: Set<Client> = []

    /// The owners of the jobs that are in progress.
    var owners: [String: Client] = [:]

    /// The owners of the jobs in progress, while a state is applied that doesn't come from an action; nil otherwise.
    var given: [String: Client]?

    /// The number of state effect performers made so far.
    var performers = 0
  }

  private let common: Common

  /// `true` if all clients perform the effects.
  private let isEverywhere: Bool

  private init(_ common: Common, isEverywhere: Bool) {
    self.common = common
    self.isEverywhere = isEverywhere
  }

  package convenience init() {
    self.init(Common(), isEverywhere: false)
  }

  /// A variant for a feature whose effects are performed by all clients.
  package var everywhere: any EffectSharing { ClientEffects(common, isEverywhere: true) }

  /// The owners of the jobs that are in progress, by the names of the jobs.
  package var owners: [String: Client] { common.owners }

  /// Calls a body that performs effects because of an action.
  ///
  /// - Parameters:
  ///   - sender: The client that has sent the action; nil if all jobs of the state already have their owners.
  ///   - asksForEffects: `false` if the effects of the action belong to another client, or were performed before.
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

  /// Calls a body that performs effects because of a state with known job owners.
  ///
  /// - Parameters:
  ///   - owners: The owners of the jobs in progress, by the names of the jobs.
  ///   - asksForEffects: `false` if the effects of changes in the state belong to another client, or were performed before.
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

  /// Returns this client's share in an attempt of a job that begins now.
  package func begin(_ job: String) -> EffectShare {
    let owner = common.sender ?? common.given?[job]
    let share = EffectShare(owner: owner, isElsewhere: !isEverywhere && !common.own.contains { $0 == owner })
    resume(job, share)
    return share
  }

  /// Returns `true` if an attempt continues in a state that doesn't come from an action. Its job may have another owner there.
  package func goesOn(_ job: String, _ share: EffectShare?) -> Bool {
    guard let given = common.given else { return true }
    return given[job] == share?.owner
  }

  /// Notes that an attempt follows a failed one.
  package func resume(_ job: String, _ share: EffectShare) {
    common.owners[job] = share.owner
  }

  package func end(_ job: String) {
    common.owners[job] = nil
  }

  /// Returns the number of the next performer of state effects, starting at 1. It is the same in each process.
  package func nextPerformer() -> Int {
    common.performers += 1
    return common.performers
  }
}
