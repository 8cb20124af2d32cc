/// Features of parts of a node's state, in simple steps.
extension Model {
  /// One of the features that are combined into a node's feature.
  final class Feature {
    /// The plan of a part; nil for the feature of the whole state.
    let plan: PartPlan?

    /// The id of its part when an action of the part last passed the reducers; nil if the part was nil.
    var reducedID: Int?

    /// The effects that have begun, with the parts and their ids at that time.
    var begun: [(part: StatePart, id: Int, group: Group)] = []

    /// The work that runs while a part is on, and the rest of such work.
    var works: [StatePart: Work] = [:]
    var leaving: [StatePart: Group] = [:]

    /// The last known parts, with the effects of their last change.
    var known: [StatePart: Known] = [:]

    /// The number of works and of known parts so far, which gives their order.
    private var count = 0

    func nextNumber() -> Int {
      count += 1
      return count
    }

    init(of plan: PartPlan?) {
      self.plan = plan
    }

    /// `true` if its interceptors see an action: while its part is missing, the action passes them.
    func intercepts(_ action: Action, in node: Node) -> Bool {
      guard let plan else { return node.plan.intercepts }
      guard plan.intercepts, let part = ownPart(of: action) else { return false }
      return node.parts[part] != nil
    }

    /// Breaks the references that hold it.
    func end() {
      begun = []
      works = [:]
      leaving = [:]
      known = [:]
    }

    var hasStateEffects: Bool { plan?.work != nil || plan?.change != nil }

    func target(_ part: StatePart, at node: Node) -> Target {
      Target(node: node, part: part, reportsAs: plan?.handlesErrors == true ? Int32(node.number) : 0)
    }

    /// The part to which an action belongs; nil if it is not a part of this feature.
    func ownPart(of action: Action) -> StatePart? { action.part.flatMap { $0.kind == plan?.kind ? $0 : nil } }
  }

  /// The digest recorded for an action that a feature of a part, or of the whole, sees.
  func digest(of action: Action, in part: StatePart?, of node: Node) -> UInt64 {
    guard let part, let state = node.parts[part] else { return action.simulated.digest }
    return Digest.mix(action.simulated.inside.digest, state.digest)
  }

  func reducePart(_ action: Action, by feature: Feature, at node: Node) {
    feature.reducedID = nil
    guard let plan = feature.plan, let part = feature.ownPart(of: action) else { return }
    feature.reducedID = node.parts[part]?.id
    guard plan.reduces, var state = node.parts[part] else { return }
    note(.reducedPart, node.number, action.number, state.digest)
    state.reduce(action.simulated.inside)
    node.parts[part] = state
  }

  func setOffPart(_ action: Action, by feature: Feature, at node: Node) {
    if !node.tree.isInBatch { cancelGone(of: feature, at: node) }
    ask(feature, about: action, at: node)
    followStep(feature, at: node) { [unowned self] in
      cancelGone(of: feature, at: node)
      followParts(of: feature, at: node)
    }
  }

  private func ask(_ feature: Feature, about action: Action, at node: Node) {
    guard let plan = feature.plan, plan.hasEffects, let reducedID = feature.reducedID else { return }
    guard let part = feature.ownPart(of: action), let state = node.parts[part], state.id == reducedID else { return }
    note(.asked, node.number, action.number, state.digest)
    guard let effect = effect(of: action, at: Place(.effects, node.number, plan.kind)) else { return }
    let target = feature.target(part, at: node)
    guard part != .always else { return perform(effect, at: target, in: nil) }
    feature.begun.append((part, state.id, perform(effect, at: target)))
  }

  /// Cancels the effects of parts that are missing or have another id.
  private func cancelGone(of feature: Feature, at node: Node) {
    let gone = feature.begun.filter { node.parts[$0.part]?.id != $0.id }
    feature.begun.removeAll { node.parts[$0.part]?.id != $0.id }
    for (_, _, group) in gone { group.cancel() }
  }
}

extension SimulatedParts {
  /// A part; nil if it is missing. A missing part cannot be set.
  fileprivate(set) subscript(part: StatePart) -> PartState? {
    get {
      switch part {
      case .always: always
      case .optional: optional
      case .element(let id): elements.first { $0.id == id }
      }
    }
    set {
      guard let newValue else { return }
      switch part {
      case .always: always = newValue
      case .optional: optional = newValue
      case .element(let id): elements = elements.map { $0.id == id ? newValue : $0 }
      }
    }
  }
}
