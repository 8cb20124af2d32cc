import Arbor

let lifeFeature = Feature<LifeState, LifeAction> { state, action in
  switch action {
  case .advance:
    state.world.advance()
    state.generation += 1
  case .insert(let pattern, let corner): state.world.insert(pattern, at: corner)
  case .sow(let seed): state.world.sow(seed: seed)
  }
}
