import Arbor
import ArborTesting
import Testing

@Suite("Actions that an interceptor holds, in a test")
struct InterceptorHoldTests {
  private enum Action: Hashable, Sendable {
    case clear
    case asked(HeldAction<Action>)
  }

  /// Asks before the list is cleared.
  ///
  /// - Parameter isDecided: `false` if the question is never answered.
  private func store(isDecided: Bool = true) -> TestStore<[Int], Action> {
    TestStore(
      initialState: [1, 2],
      interceptors: [
        Interceptor { action, context in
          action == .clear ? .hold { held in context.dispatch(.asked(held)) } : .pass
        }
      ],
      effects: { _, action in
        guard isDecided, case .asked(let held) = action else { return .none }
        return .run { _ in held.pass() }
      },
      reducer: { list, action in if action == .clear { list = [] } }
    )
  }

  @Test func `a held action is received after the answer lets it pass`() async {
    let store = store()
    await store.send(.clear)
    await store.receive(where: { if case .asked = $0 { true } else { false } })
    await store.receive(.clear) { $0 = [] }
    await store.finish()
    #expect(store.transcript.contains("sent .clear, held by an interceptor"))
  }

  @Test func `an undecided action is named when it is expected and at the end`() async {
    let found = await failures {
      let store = store(isDecided: false)
      await store.send(.clear)
      let held = await store.receive(extract: { action in if case .asked(let held) = action { held } else { nil } })
      await store.receive(.clear)
      await store.finish()
      held?.drop()
    }
    #expect(
      found.map(\.failure.text) == [
        """
        .clear was not received.

        Expected: .clear
        Happened: no action is held; still running or waiting:
                  .clear, held by an interceptor
        To fix this, decide about the action that an interceptor holds, with its token, or do not receive it.
        """,
        """
        1 action is undecided at the end.

        Expected: each action that an interceptor holds was passed, replaced or dropped
        Happened: held by interceptors:
                  .clear
        To fix this, trigger the decision in the test, as the program would, or decide with the token: `held.drop()`.
        """,
      ]
    )
  }

  @Test func `without exhaustivity it is a warning, on request`() async {
    let text = await onlyFailure {
      let store = store(isDecided: false)
      store.exhaustivity = .off(showSkipped: true)
      await store.send(.clear)
      let held = await store.receive(extract: { action in if case .asked(let held) = action { held } else { nil } })
      await store.finish()
      held?.drop()
    }
    #expect(text.contains("1 action was undecided at the end."))
  }
}
