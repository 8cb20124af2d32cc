import Arbor
import ArborDevTools
import ArborTesting

/// A program whose state keeps the token of a held action until a user has decided about it.
struct Vault: Equatable, Sendable {
  var items = ["ring"]
  var question: Question?

  struct Question: Equatable, Sendable {
    var text: String
    var held: HeldAction<VaultAction>
  }

  /// The text of a test file that holds an action, passes one and drops one.
  static func file() throws -> String {
    let (executor, recorder) = (ManualExecutor(), Recorder<Vault, VaultAction>())
    let factory = StoreFactory(
      initialState: Vault(),
      feature: vault,
      settings: TreeSettings(monitors: [recorder], executor: executor)
    )
    for action in [.clear, .answer(false), .clear, .answer(true)] as [VaultAction] {
      factory.dispatch(action)
      executor.run()
    }
    let test = try recorder.recording?.testSource(
      named: "all of it",
      store: "TestStore(initialState: …, feature: vault)"
    )
    return TestFile(suite: "VaultTests").text(of: [test ?? ""])
  }
}

enum VaultAction: Hashable, Sendable {
  case clear
  case asked(HeldAction<VaultAction>)
  case answer(Bool)
}

let vault = Feature<Vault, VaultAction>(
  interceptors: [
    Interceptor { action, context in
      switch action {
      case .clear: return .hold { held in context.dispatch(.asked(held)) }
      case .answer(let isSure):
        guard let held = context.state.question?.held else { return .drop }
        isSure ? held.pass() : held.drop()
        return .pass
      case .asked: return .pass
      }
    }
  ],
  reducer: { vault, action in
    switch action {
    case .clear: vault.items = []
    case .asked(let held): vault.question = Vault.Question(text: "Really?", held: held)
    case .answer: vault.question = nil
    }
  }
)
