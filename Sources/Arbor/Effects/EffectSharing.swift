/// The part of a shared store that decides at which of its clients effects are performed. Used on the tree's queue only.
@usableFromInline
package final class EffectSharing: @unchecked Sendable {
  // Sendable because one tree has it, and uses it on its serial queue only.

  /// What all features of the shared store have in common.
  private final class Jobs {
    /// `true` while an action of another client is confirmed.
    var isForeign = false

    /// The number of performers of state effects that were made.
    var performers = 0

    /// The jobs that are performed here, by name, and how many of a name.
    var own: [String: Int] = [:]

    /// The jobs that were performed here when the program ended, until they begin again.
    var resumed: Set<String>

    init(resuming resumed: Set<String>) {
      self.resumed = resumed
    }
  }

  private let jobs: Jobs

  /// `true` if the effects are performed by all clients.
  private let isEverywhere: Bool

  private init(_ jobs: Jobs, isEverywhere: Bool) {
    self.jobs = jobs
    self.isEverywhere = isEverywhere
  }

  /// - Parameter resumed: The names of the jobs that this client performed when it ended: it performs them again.
  package convenience init(resuming resumed: Set<String>) {
    self.init(Jobs(resuming: resumed), isEverywhere: false)
  }

  /// The same for a feature whose effects are performed by all clients.
  @usableFromInline var everywhere: EffectSharing { EffectSharing(jobs, isEverywhere: true) }

  /// The names of the jobs that are performed here, or were before the program ended and have not begun again.
  package var ownJobs: Set<String> { jobs.resumed.union(jobs.own.keys) }

  /// Calls a body in which the effects are those of another client.
  package func elsewhere(_ body: () -> Void) {
    jobs.isForeign = true
    body()
    jobs.isForeign = false
  }

  /// Lets go of the jobs that were to be resumed and are not in the state any more.
  package func endResuming() {
    jobs.resumed = []
  }

  @usableFromInline var isElsewhere: Bool { jobs.isForeign && !isEverywhere }

  /// Returns `true` if another client performs a job that begins now.
  func isElsewhere(_ job: String) -> Bool {
    isElsewhere && jobs.resumed.remove(job) == nil
  }

  func didBegin(_ job: String) {
    jobs.own[job, default: 0] += 1
  }

  func didEnd(_ job: String) {
    guard let count = jobs.own[job] else { return }
    jobs.own[job] = count > 1 ? count - 1 : nil
  }

  /// The number of the next performer of state effects, from 1 on: the same one in each process.
  func nextPerformer() -> Int {
    jobs.performers += 1
    return jobs.performers
  }
}
