import Arbor
import ArborTesting
import Testing

// The code of the article about errors. Another test compares the texts.

struct Profile: Equatable, Sendable {
  var name: String?
  var problem: String?
}

enum ProfileAction: Equatable, Sendable {
  case load
  case loaded(String)
  case failed(String)
}

func profile(fetchName: @escaping @Sendable () async throws -> String) -> Feature<Profile, ProfileAction> {
  Feature(
    effects: { _, action in
      guard action == .load else { return .none }
      return .run(key: "load", mode: .dropCurrent) { dispatch in
        do {
          dispatch(.loaded(try await fetchName()))
        } catch {
          dispatch(.failed("\(error)"))  // does nothing if the task was canceled
        }
      }
    },
    reducer: { profile, action in
      switch action {
      case .load: profile.problem = nil
      case .loaded(let name): profile.name = name
      case .failed(let problem): profile.problem = problem
      }
    }
  )
}

struct Offline: Error {}

@Suite("Errors")
struct ErrorsSnippets {
  @Test func `a failed request leaves its error in the state`() async {
    let store = TestStore(initialState: Profile(), feature: profile(fetchName: { throw Offline() }))

    await store.send(.load)
    await store.receive(.failed("Offline()")) { $0.problem = "Offline()" }
    await store.finish()
  }

  @Test func `a feature receives the errors of its own effects`() async {
    let problems = AsyncStream<String>.makeStream()
    let report: @Sendable (String) -> Void = { problems.continuation.yield($0) }

    let syncing = Feature<Profile, ProfileAction>(
      effects: { _, action in action == .load ? .run(key: "sync") { _ in throw Offline() } : .none },
      onEffectError: { key, action, error in report("\(key ?? "an effect") failed: \(error)") }
    )

    let factory = StoreFactory(initialState: Profile(), feature: syncing)
    await factory.perform(.load)
    for await problem in problems.stream {
      #expect(problem == "sync failed: Offline()")
      break
    }
  }

  @Test func `the value of a task throws its error`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let counting = store.task(key: "count") { _ in try await fetchTodos().count }
    do {
      print(try await counting.value)
    } catch is CancellationError {
      print("canceled, dropped by its mode, or the store's owner is gone")
    } catch {
      print("failed: \(error)")
    }

    #expect(factory.state.todos == [])
  }
}
