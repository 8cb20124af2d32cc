/// A token that closures and states of the engine hold. Its end is recorded and may cause operations.
final class EngineToken: Sendable {
  private let token: Token
  private weak let engine: Engine?

  init(_ token: Token, in engine: Engine) {
    self.token = token
    self.engine = engine
    engine.alive.toggle(token.number)
  }

  deinit {
    // A failed world is released at any point.
    guard let engine else { return }
    engine.alive.toggle(token.number)
    guard !token.operations.isEmpty else { return }
    engine.note(.released, token.number)
    for operation in token.operations { engine.perform(operation) }
  }
}
