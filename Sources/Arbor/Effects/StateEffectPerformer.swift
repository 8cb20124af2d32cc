/// The performer of the jobs of one ``StateEffect``: compares each state with the attempts in progress. Only used on
/// the tree's queue.
final class StateEffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable because the performer that owns it only uses it on the tree's serial queue.

  private let jobs: StateEffect<State, Action>.Jobs
  private let declaration: StateEffectDeclaration
  private let place: EffectPlace<State, Action>

  /// The feature's own handler of its effects' errors; nil if they go to the handler of the place.
  private let onEffectError: EffectErrorHandler<Action>?

  /// Finds the identity of a part; nil if the state can neither be missing nor be replaced.
  private let partIdentity: (@Sendable (ElementKey?) -> PartIdentity?)?

  /// The attempts in progress.
  private var attempts = ElementPartTable<JobKey, JobAttempt>()

  /// The number of comparisons of the state with the attempts.
  private var comparison: UInt64 = 0

  /// The jobs in progress whose effects are requested in each step, because there was nothing to perform yet.
  private var unperformed: Set<JobKey> = []

  /// The number of this performer among all performers of a shared store; zero in any other store.
  private let number: Int

  /// The groups of ended attempts whose tasks haven't returned yet. The next attempt of each job waits for its group.
  private var stillRunning: [JobKey: EffectGroup] = [:]

  private var tree: Tree { place.address.tree }

  init(
    _ jobs: StateEffect<State, Action>.Jobs,
    _ declaration: StateEffectDeclaration,
    at place: EffectPlace<State, Action>,
    onEffectError: EffectErrorHandler<Action>?
  ) {
    self.jobs = jobs
    self.declaration = declaration
    self.place = place
    self.onEffectError = onEffectError
    partIdentity = place.state.identity
    number = place.sharing?.nextPerformer() ?? 0
  }

  /// Compares the current state with the attempts in progress; begins and ends attempts, and requests due effects.
  ///
  /// - Parameter touched: The elements that may have changed. Other clients' actions may change attempts of any
  ///   element.
  func update(_ touched: TouchedElements) {
    guard place.sharing == nil, case .some(var elements) = touched else { return update(in: nil) }
    elements += unperformed.compactMap { $0.element?.outermost }
    if !elements.isEmpty { update(in: elements) }
  }

  private func update(of job: JobKey) {
    update(in: job.element.map { [$0.outermost] })
  }

  /// Compares some elements of the outermost collection; nil compares the whole state.
  private func update(in elements: [ElementKey]?) {
    comparison += 1
    var count = 0
    place.state.readEach(in: elements) { state, element in
      count += 1
      reconcile(state.borrowable.pointee, of: element)
    }
    if elements == nil { place.state.collection?.looks += count }
    for (job, attempt) in inOrder(attempts.parts(in: elements) { $0.comparison != comparison }) {
      attempts[job] = nil
      end(attempt, job)
    }
  }

  /// Returns attempts in the order they began.
  ///
  /// - It isn't optimized: the code of a sort for this type would be four kilobytes of each program.
  @_optimize(none)
  private func inOrder(_ attempts: [JobKey: JobAttempt]) -> [(key: JobKey, value: JobAttempt)] {
    attempts.isEmpty ? [] : attempts.sorted { $0.value.identity.number < $1.value.identity.number }
  }

  private func reconcile(_ state: borrowing Borrowable<State>, of element: ElementKey?) {
    jobs.forEach(state.value) { id, request, effect in
      let job = JobKey(element: element, id: id)
      let attempt = attempts[job]
      // The first job with an id is the only one. An id that isn't equal to itself isn't the id of any job.
      guard attempt?.comparison != comparison, job == job else { return }
      if let attempt, attempt.request.number == request.number, attempt.part == partIdentity?(element),
        place.sharing?.goesOn(name(of: job), attempt.share) != false
      {
        attempt.comparison = comparison
      } else {
        if let attempt {
          attempts[job] = nil
          end(attempt, job)
        }
        begin(job, request, causedBy: tree.cause, place.sharing?.begin(name(of: job)))
      }
      requestEffect(job, effect)
    }
  }

  /// Returns the name of a job, which is the same in each process: the performer's number, and the descriptions of the
  /// ids.
  private func name(of job: JobKey) -> String {
    var name = "\(number)"
    func add(_ id: any Hashable) {
      let text = String(describing: id)
      // Includes its length, so that no two lists of texts make the same name.
      name += "/\(text.utf8.count):\(text)"
    }
    var element = job.element
    while let key = element {
      add(key.id.value)
      element = key.outer
    }
    // The id of a single job is a number of this process.
    if !(job.id.value is Identity) { add(job.id.value) }
    return name
  }

  private func end(_ attempt: JobAttempt, _ job: JobKey) {
    unperformed.remove(job)
    place.sharing?.end(name(of: job))
    attempt.end()
    guard !jobs.abandonsAttempts, let group = attempt.group, group.isRunning else { return }
    stillRunning[job] = group
    let isEnded = group.whenEnded { [weak self, address = place.address, declaration] _ in
      _ = address.tree.append(at: address, .effect(of: declaration)) { [weak self] _ in
        guard let self else { return }
        if stillRunning[job]?.isRunning == false { stillRunning[job] = nil }
        update(of: job)
      }
    }
    if isEnded != nil { stillRunning[job] = nil }
  }

  private func begin(
    _ job: JobKey,
    _ request: AttemptRequest,
    retries: Int = 0,
    causedBy cause: ActionCause,
    _ share: EffectShare?
  ) {
    let delay = retries > 0 ? request.delayBeforeRetry(retries) : request.delay
    let attempt = JobAttempt(
      request,
      retries: retries,
      partIdentity?(job.element),
      delay > .zero ? cause.followed(by: .timer) : cause,
      share,
      comparison
    )
    if delay > .zero, share?.isElsewhere != true {
      // The timer doesn't keep the state alive.
      let stop = tree.executor.schedule(after: delay, on: tree.clock) {
        [weak self, address = place.address, declaration, identity = attempt.identity] in
        _ = address.tree.append(at: address, .effect(of: declaration)) { [weak self] _ in
          self?.delayEnded(job, identity)
        }
      }
      attempt.stopDelay = tree.trackDelay(of: declaration, isOngoing: jobs.isOngoing, stop: stop)
    } else {
      unperformed.insert(job)
    }
    attempts[job] = attempt
  }

  /// Ends the delay before an attempt, which can now request its effect.
  private func delayEnded(_ job: JobKey, _ identity: Identity) {
    guard let attempt = attempts[job], attempt.identity == identity else { return }
    attempt.stopDelay?()
    attempt.stopDelay = nil
    unperformed.insert(job)
    update(of: job)
  }

  /// Requests the effect of an attempt and performs it, unless the attempt already has one or still has to wait.
  private func requestEffect(_ job: JobKey, _ effect: () -> Effect<Action>) {
    guard let attempt = attempts[job], attempt.share?.isElsewhere != true, attempt.stopDelay == nil,
      attempt.group == nil, stillRunning[job]?.isRunning != true
    else { return }
    stillRunning[job] = nil
    let effect = effect()
    guard !effect.isNone else { return }
    let group = EffectGroup(of: declaration)
    attempt.group = group
    unperformed.remove(job)
    let target = place.targets.target(of: job.element)
    tree.run(causedBy: attempt.cause) {
      target.perform(effect, in: group, onEffectError: handler(of: attempt, job, target, group))
    }
  }

  /// Returns the handler of the errors of an attempt's tasks.
  private func handler(
    of attempt: JobAttempt,
    _ job: JobKey,
    _ target: EffectTarget<Action>,
    _ group: EffectGroup
  ) -> EffectErrorHandler<Action> {
    if let failure = jobs.failure {
      return { _, _, error, cause in target.sink.send(failure(job.id, error), in: group, causedBy: cause) }
    }
    guard attempt.retries < attempt.request.retries else { return target.reporting(to: onEffectError, of: declaration) }
    return { [weak self, address = place.address, declaration, identity = attempt.identity] _, _, _, _ in
      _ = address.tree.append(at: address, .effect(of: declaration)) { [weak self] _ in self?.retry(job, identity) }
    }
  }

  /// Begins a job again after its attempt failed, unless the state left the attempt meanwhile.
  private func retry(_ job: JobKey, _ identity: Identity) {
    guard let attempt = attempts[job], attempt.identity == identity else { return }
    attempts[job] = nil
    end(attempt, job)
    if let share = attempt.share { place.sharing?.resume(name(of: job), share) }
    begin(job, attempt.request, retries: attempt.retries + 1, causedBy: attempt.cause, attempt.share)
    update(of: job)
  }
}
