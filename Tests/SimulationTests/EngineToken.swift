/// Something that closures and states of the engine hold, whose end is noticed and may do something.
final class EngineToken: Sendable {
  private let token: Token
  private weak let engine: Engine?

  init(_ token: Token, in engine: Engine) {
    self.token = token
    self.engine = engine
    engine.alive.toggle(token.number)
  }

  deinit {
    // A world that has failed is let go of in the middle.
    guard let engine else { return }
    engine.alive.toggle(token.number)
    guard !token.operations.isEmpty else { return }
    engine.note(.released, token.number)
    for operation in token.operations { engine.perform(operation) }
  }
}
