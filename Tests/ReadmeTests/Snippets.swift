import Arbor
import ArborTesting
import Testing

// The code of the README, in its order, compiled and run. Another test compares the two texts.

struct AppState: Sendable {
  var todos: [String] = []
  var draft: String?
}

enum AppAction: Sendable {
  case load
  case add(String)
  case draft(DraftAction)
}

enum DraftAction: Sendable {
  case edit(String)
}

let reducer: Reducer<AppState, AppAction> = { state, action in
  switch action {
  case .load: break  // nothing to change yet: an interceptor fetches
  case .add(let text): state.todos.append(text)
  case .draft(.edit(let text)): state.draft = text
  }
}

extension AppState {
  static let longest = StateSelector(\AppState.todos) { todos in
    todos.max { $0.count < $1.count } ?? ""
  }
}

@MainActor
final class Screen {
  let shown = AsyncStream<[String]>.makeStream()

  func show(_ todos: [String]) {
    shown.continuation.yield(todos)
  }
}

struct Selection: Sendable {
  var index: Int?
}

@Suite("README")
struct Snippets {
  @Test func `the quick start runs`() {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let observer = Observer<AppState> { state in
      print(state.todos)
      return .active
    }
    store.subscribe(observer: observer)

    store.dispatch(.add("Water the tree"))
    print(factory.state.todos.count)  // 1

    #expect(factory.state.todos == ["Water the tree"])
  }

  @Test func `a scope sees its part and sends its own actions`() {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let todos = store.scope(to: \.todos)  // Store<[String], AppAction>
    let draft = store.scope(toOptional: { $0.draft }, action: AppAction.draft)  // Store<String, DraftAction>

    draft.dispatch(.edit("Prune"))
    print(draft.state ?? "no draft")  // Prune

    #expect(draft.state == "Prune")
    #expect(todos.state == [])
  }

  @Test func `a child lives as long as its object`() {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)

    let list = factory.childStore(initialState: Selection()) { selection, action in
      if case .add = action { selection.index = 0 }
    }
    let store = list.store()  // Store<(AppState, Selection), AppAction>
    store.dispatch(.add("Sweep the leaves"))  // the child's reducer, then the root's

    #expect(list.state?.0.todos == ["Sweep the leaves"])
    #expect(list.state?.1.index == 0)
  }

  @Test func `an interceptor turns one action into others`() async {
    let factory = StoreFactory<AppState, AppAction>(
      initialState: AppState(),
      interceptor: { action, dispatch in
        guard case .load = action else { return }
        Task {
          for text in await fetchTodos() { dispatch(.add(text)) }
        }
      },
      reducer: reducer
    )

    let loaded = AsyncStream<[String]>.makeStream()
    let observer = Observer<AppState> { state in
      guard state.todos.count == 2 else { return .active }
      loaded.continuation.yield(state.todos)
      loaded.continuation.finish()
      return .dead
    }
    factory.rootStore().subscribe(observer: observer)
    factory.rootStore().dispatch(.load)
    for await todos in loaded.stream {
      #expect(todos == ["Water the tree", "Sweep the leaves"])
    }
  }

  @Test func `an observer ends itself, now or later`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()
    let screen = Screen()

    let three = Observer<AppState> { state in
      state.todos.count < 3 ? .active : .dead
    }
    let view = Observer<[String]> { [weak screen] todos, complete in
      Task { @MainActor in
        guard let screen else { return complete(.dead) }
        screen.show(todos)
      }
    }
    store.subscribe(observer: three)
    store.scope(to: \.todos).subscribe(observer: view)

    for await todos in screen.shown.stream {
      #expect(todos == [])
      break
    }
  }

  @MainActor
  @Test func `what changed is told, on the main actor too, and one store follows another`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()
    let screen = Screen()
    let drafts = StoreFactory<String, DraftAction>(initialState: "") { draft, action in
      if case .edit(let text) = action { draft = text }
    }
    let other = drafts.rootStore()

    let changes = store.observe { changes in
      changes.ifChanged(\.todos.count) { count in print("\(count) to do") }
    }
    let list = store.observe(removeDuplicates: .by(\.todos), on: .main) { state in
      screen.show(state.todos)
    }

    let copy = store.observe(removeDuplicates: .by(\.draft)) { state in
      other.dispatch(.edit(state.draft ?? ""))
    }

    await store.dispatchAndWait(.draft(.edit("Water")))
    await store.dispatchAndWait(.add("Sweep the leaves"))
    for await todos in screen.shown.stream where todos == ["Sweep the leaves"] { break }
    #expect(drafts.state == "Water")
    for subscription in [changes, list, copy] { subscription.cancel() }
  }

  @Test func `values follow the state`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let count = factory.derived(\.todos.count)
    let isDrafting = factory.derived { $0.draft != nil }
    let title = Derived.combined(count, isDrafting).derived { count, isDrafting in
      isDrafting ? "\(count) and a draft" : "\(count)"
    }

    for text in ["Water the tree", "Sweep the leaves", "Prune the roses"] { store.dispatch(.add(text)) }
    store.dispatch(.draft(.edit("Mow")))
    let longest = store.select(AppState.longest)

    for await count in store.states(of: \.todos.count) {
      print(count)
      if count > 2 { break }
    }
    let drafting = await store.state { $0.draft != nil }
    #expect(drafting?.draft == "Mow")
    #expect(longest == "Sweep the leaves")
    #expect(title.value == "3 and a draft")
  }

  @Test func `a test runs the real engine by hand`() {
    let executor = ManualExecutor()
    let factory = StoreFactory(initialState: AppState(), executor: executor, reducer: reducer)

    factory.rootStore().dispatch(.add("Water the tree"))
    #expect(executor.pending == 1)

    executor.run()
    #expect(factory.state.todos == ["Water the tree"])
  }
}

func fetchTodos() async -> [String] {
  ["Water the tree", "Sweep the leaves"]
}
