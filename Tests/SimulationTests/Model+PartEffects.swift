/// Work that is a function of the state of a part.
extension Model {
  /// Work in progress that runs while a part is on.
  struct Work {
    /// Its position among the feature's works, in the order in which they began.
    let number: Int

    /// The id of the part when it began.
    let id: Int

    /// The effect that it performs; nil until there is one.
    var group: Group?
  }

  /// The last version of a part that a feature's effects of changes have seen.
  struct Known {
    /// Its position among the feature's parts, in the order in which they were first seen.
    let number: Int
    var state: PartState

    /// The effect of its last change.
    var group: Group?
  }

  /// Begins and ends work according to the states of a feature's parts.
  func followParts(of feature: Feature, at node: Node) {
    followWork(of: feature, at: node)
    followChanges(of: feature, at: node)
  }

  /// Begins and ends the work of all parts, or only of one.
  private func followWork(of feature: Feature, at node: Node, only followed: StatePart? = nil) {
    guard let plan = feature.plan, let effect = plan.work else { return }
    for (part, group) in feature.leaving where !group.isRunning { feature.leaving[part] = nil }
    var left = feature.works.filter { followed == nil || followed == $0.key }
    for (part, state) in node.parts.all(of: plan.kind) where state.isOn && (followed == nil || followed == part) {
      if let work = left.removeValue(forKey: part), work.id != state.id { leave(work, of: part, feature, at: node) }
      var work = feature.works[part] ?? Work(number: feature.nextNumber(), id: state.id)
      feature.works[part] = work
      guard work.group == nil, feature.leaving[part] == nil else { continue }
      note(.askedForState, node.number, Int32(state.id))
      guard !effect.isNone else { continue }
      let group = Group()
      work.group = group
      feature.works[part] = work
      perform(effect, at: feature.target(part, at: node), as: group)
    }
    for (part, work) in left.sorted(by: { $0.value.number < $1.value.number }) {
      leave(work, of: part, feature, at: node)
    }
  }

  /// Handles the end of work: the next work of the part waits for the effect that it performs.
  private func leave(_ work: Work, of part: StatePart, _ feature: Feature, at node: Node) {
    feature.works[part] = nil
    guard let group = work.group else { return }
    group.cancel()
    guard group.isRunning else { return }
    feature.leaving[part] = group
    group.whenEnded { [unowned self] _ in
      accept(at: node) { [unowned self] in followWork(of: feature, at: node, only: part) }
    }
  }

  /// Performs the effects of changes of parts. The next change of a part cancels them, and so does its end.
  private func followChanges(of feature: Feature, at node: Node) {
    guard let plan = feature.plan, let effect = plan.change else { return }
    let parts = node.parts.all(of: plan.kind)
    for (part, state) in parts {
      let known = feature.known[part]
      let isFirst = known?.state.id != state.id
      guard isFirst || known?.state.isOn != state.isOn else { continue }
      known?.group?.cancel()
      let number = known.flatMap { isFirst ? nil : $0.number } ?? feature.nextNumber()
      feature.known[part] = Known(number: number, state: state)
      guard !isFirst || plan.isFirstChange else { continue }
      note(.askedForState, node.number, Int32(state.id), state.digest)
      guard !effect.isNone else { continue }
      let group = Group()
      feature.known[part]?.group = group
      perform(effect, at: feature.target(part, at: node), as: group)
      // Its end is known only after the actions that it has sent.
      group.whenEnded { [unowned self] _ in accept(at: node) {} }
    }
    let existing = Set(parts.lazy.map(\.part))
    let gone = feature.known.filter { !existing.contains($0.key) }
    for (part, known) in gone.sorted(by: { $0.value.number < $1.value.number }) {
      feature.known[part] = nil
      known.group?.cancel()
    }
  }

  /// Performs an effect of a part as a separate group.
  @discardableResult
  func perform(_ effect: EffectPlan, at target: Target, as group: Group = Group()) -> Group {
    // Keep it meanwhile, so that it does not end between two parts of the effect.
    _ = group.enter()
    perform(effect, at: target, in: group)
    group.leave(isCancelled: false)
    return group
  }
}

extension SimulatedParts {
  /// The existing parts of a kind, in order.
  fileprivate func all(of kind: StatePart.Kind) -> [(part: StatePart, state: PartState)] {
    switch kind {
    case .always: [(.always, always)]
    case .optional: optional.map { [(.optional, $0)] } ?? []
    case .element: elements.map { (.element($0.id), $0) }
    }
  }
}
