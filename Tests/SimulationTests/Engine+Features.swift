import Arbor

/// Features of nodes and of parts of their states.
extension Engine {
  /// The feature of a node's whole state.
  func feature<Action: Carrier>(
    of node: Int,
    _ plan: NodePlan,
    reducer: Reducer<SimulatedState, Action>?
  ) -> Feature<SimulatedState, Action> {
    Feature(
      interceptors: plan.intercepts ? [interceptor(of: node) { action, _ in action.digest }] : [],
      effects: plan.hasEffects ? effects(of: node) { $0.parts.digest } : nil,
      stateEffects: stateEffects(of: node, plan),
      reducer: reducer
    )
  }

  /// The feature of a node's whole state, combined with the features of its parts.
  func combinedFeature(of node: Int, _ plan: NodePlan) -> Feature<SimulatedState, SimulatedAction> {
    let whole: Feature<SimulatedState, SimulatedAction> = feature(of: node, plan, reducer: reducer(of: node))
    guard !plan.parts.isEmpty else { return whole }
    return Feature<SimulatedState, SimulatedAction>.combined(
      plan.parts.filter(\.isBeforeWhole).map { scopedFeature(of: node, $0) } + [whole]
        + plan.parts.filter { !$0.isBeforeWhole }.map { scopedFeature(of: node, $0) }
    )
  }

  private func scopedFeature(of node: Int, _ plan: PartPlan) -> Feature<SimulatedState, SimulatedAction> {
    let part = feature(of: node, plan)
    switch plan.kind {
    case .always:
      return part.scoped(
        to: \SimulatedState.always,
        action: { $0.embedded(in: .always) },
        extract: { (action: SimulatedAction) in action.extracted(from: .always) }
      )
    case .optional:
      return part.scoped(
        toOptional: \SimulatedState.parts.optional,
        action: { $0.embedded(in: .optional) },
        extract: { (action: SimulatedAction) in action.extracted(from: .optional) }
      )
    case .element:
      return part.forEach(
        \SimulatedState.parts.elements,
        action: { id, action in action.embedded(in: .element(id)) },
        extract: { (action: SimulatedAction) in
          action.extracted(from: .element).map { (action.part!.element!, $0) }
        }
      )
    }
  }

  /// - Parameters:
  ///   - part: The kind of the parts whose feature has the interceptor; nil if it is the feature of the whole.
  ///   - digest: Makes the digest that is recorded with an action.
  func interceptor<State, Action: Carrier>(
    of node: Int,
    _ part: StatePart.Kind? = nil,
    noting digest: @escaping @Sendable (SimulatedAction, () -> State) -> UInt64
  ) -> Interceptor<State, Action> {
    Interceptor { [unowned self] whole, context in
      let action = whole.carried
      let place = Place(.interceptor, node, part)
      note(.intercepted, node, action.number, digest(action) { context.state })
      let dispatch = context.dispatch
      contexts[node] = { [unowned self] number in dispatch(.carrying(Int32(number), in: self)) }
      return judge(whole, at: place)
    }
  }

  /// An interceptor that is added to a store.
  func addedInterceptor<Action: Carrier>(_ number: Int) -> Interceptor<SimulatedState, Action> {
    Interceptor { [unowned self] action, _ in
      note(.judged, number, action.carried.number, action.carried.digest)
      return judge(action, at: Place(.interceptor, number))
    }
  }

  private func judge<State, Action: Carrier>(_ whole: Action, at place: Place) -> Interceptor<State, Action>.Verdict {
    let number = whole.carried.number
    react(to: number, at: place)
    switch scripts.deed(about: number, at: place) {
    case .wrap: return .replace(with: whole.wrapped)
    case .drop where !whole.isAwaited: return .drop
    case .hold where !whole.isAwaited:
      return .hold { [unowned self] token in
        held[Int(number), default: []].append { [unowned self] decision in
          switch decision {
          case .pass: token.pass()
          case .drop: token.drop()
          case .replace(let script): token.replace(with: .carrying(Int32(script.number), in: self))
          }
        }
      }
    case .replace(let script) where !whole.isAwaited: return .replace(with: .carrying(Int32(script.number), in: self))
    default: return .pass
    }
  }

  /// The feature of a kind of parts.
  private func feature(of node: Int, _ plan: PartPlan) -> Feature<PartState, SimulatedAction> {
    let interceptor: Interceptor<PartState, SimulatedAction> = interceptor(of: node, plan.kind) { action, part in
      Digest.mix(action.inside.digest, part().digest)
    }
    let reducer: Reducer<PartState, SimulatedAction> = { [unowned self] part, action in
      note(.reducedPart, node, action.number, part.digest)
      part.reduce(action.inside)
    }
    return Feature(
      interceptors: plan.intercepts ? [interceptor] : [],
      effects: plan.hasEffects ? effects(of: node, plan.kind) { $0.digest } : nil,
      stateEffects: stateEffects(of: node, plan),
      onEffectError: plan.handlesErrors ? report(as: node) : nil,
      reducer: plan.reduces ? reducer : nil
    )
  }

  private func stateEffects(of node: Int, _ plan: PartPlan) -> [StateEffect<PartState, SimulatedAction>] {
    let work = plan.work.map { work in
      StateEffect<PartState, SimulatedAction>(while: \.isOn) { [unowned self] part in
        note(.askedForState, node, Int32(part.id))
        return effect(work)
      }
    }
    let change = plan.change.map { change in
      StateEffect<PartState, SimulatedAction>(onChange: \.isOn, initial: plan.isFirstChange) { [unowned self] part in
        note(.askedForState, node, Int32(part.id), part.digest)
        return effect(change)
      }
    }
    return [work, change].compactMap(\.self)
  }
}
