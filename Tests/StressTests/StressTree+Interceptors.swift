import Arbor

/// The interceptors of the lasting stores.
extension StressTree {
  /// Makes an interceptor of the simple form, which keeps `dispatch` for later.
  func makePlainInterceptor() -> @Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void {
    let token = ground.token("plain interceptor")
    return { [unowned self] action, dispatch in
      witness.within("plain interceptor") {
        withExtendedLifetime(token) { keep(dispatch, of: action.slip) }
      }
    }
  }

  func makeInterceptor<State>(
    level: Int,
    flaw: @escaping @Sendable (State) -> String?
  ) -> Interceptor<State, Action> {
    let token = ground.token("interceptor")
    return Interceptor { [unowned self] action, context in
      witness.within("interceptor") {
        withExtendedLifetime(token) {
          let slip = action.slip
          if slip.lane != Slip.noLane, level == slip.depth, slip.fate != .isReplacement { noteJudged(slip) }
          if let flaw = flaw(context.state) { ground.flaws.note("in an interceptor of \(name): \(flaw)") }
          keep(context.dispatch, of: slip)
          if isGrown, ground.mayMeddle(oneIn: 60) {
            activities.straysEmitted.count()
            context.emit(StressActivity(lane: Slip.noLane, sequence: 0))
          }
          if ground.mayMeddle(oneIn: 40) { meddle(mayRead: true) }
          guard slip.judge == level else { return .pass }
          switch slip.fate {
          case .pass, .isReplacement: return .pass
          case .drop: return .drop
          case .replace: return .replace(with: action.replaced(in: self))
          }
        }
      }
    }
  }

  /// Uses an interceptor's `dispatch` now or later.
  private func keep(_ dispatch: @escaping @Sendable (Action) -> Void, of slip: Slip) {
    guard isGrown, ground.mayMeddle(oneIn: 40) else { return }
    let later: @Sendable () -> Void = { [unowned self] in dispatch(stray(depth: slip.depth)) }
    if ground.dice.hits(oneIn: 2) { later() } else { dispatches.exchange(later, at: ground.dice.roll(8)) }
  }
}
