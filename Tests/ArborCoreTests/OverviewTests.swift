import ArborCore
import Testing

@Suite("The program of the core's overview")
struct OverviewTests {
  @Test func `the program counts`() {
    struct AppState: Sendable {
      var count = 0
    }

    enum AppAction: Sendable {
      case increment
      case reset
    }

    let factory = StoreFactory<AppState, AppAction>(
      initialState: AppState(),
      interceptor: { action, _ in
        if case .increment = action { print("one more") }
      },
      reducer: { state, action in
        switch action {
        case .increment: state.count += 1
        case .reset: state.count = 0
        }
      }
    )

    let counter = factory.scopeStore(to: \.count)
    counter.subscribe(
      observer: Observer { count in
        print(count)
        return count == 2 ? .dead : .active
      }
    )
    counter.dispatch(.increment)
    factory.dispatchAndWait(.increment)
    #expect(factory.state.count == 2)
    factory.dispatchAndWait(.reset)
    #expect(factory.state.count == 0)
  }
}
