import Arbor
import ArborEntities
import Testing

// The code of the README's sections for users of other libraries, compiled and run. Another test compares the two texts.

protocol Event: Sendable {}

protocol AsyncEvent: Event {
  func perform() async throws -> any Event
}

private struct Fetch: AsyncEvent {
  func perform() async throws -> any Event { Fetched(todos: try await fetchTodos()) }
}

private struct Fetched: Event {
  let todos: [String]
}

private struct BackupStarted: Event {}

private struct BackupDone: Event {}

private struct BackupFailed: Event {
  let error: any Error
}

extension AppState {
  fileprivate mutating func reduce(_ event: any Event) {
    if let event = event as? Fetched { todos = event.todos }
  }
}

private struct Backup {
  var job = JobState()

  mutating func reduce(_ event: any Event) {
    switch event {
    case is BackupStarted: job.run(maxAttempts: 2)
    case is BackupDone: job.succeed()
    case let event as BackupFailed: job.retryOrFail(event.error)
    default: break
    }
  }
}

private func save() async throws {
  throw Unexpected()
}

private struct Download: Identifiable {
  let id: Int
  var job = JobState()
}

private struct Player {
  var isPlaying = false
  var seconds = 0
  var track = ""
  var started: [String] = []
  var downloads: [Download] = []
}

private enum PlayerAction {
  case play(String)
  case tick
  case started(String)
  case downloaded(Int)
  case failed(Int, any Error)
}

private func second() async throws {
  try await ContinuousClock().sleep(for: .milliseconds(1))
}

private func download(_ id: Int) async throws {
  if id == 2 { throw Unexpected() }
}

@MainActor
final class TodoList {
  var rows: [String] = []
  private var subscription: StoreSubscription?

  func follow(_ store: Store<AppState, AppAction>) {
    subscription = store.scope(to: \.todos).observe(removeDuplicates: .equatable, on: .main) { [weak self] todos in
      self?.rows = todos
    }
  }
}

func refresh(_ store: Store<AppState, AppAction>) -> StoreTask<Void> {
  store.task(key: "refresh", mode: .keepCurrent) { dispatch in
    guard store.state?.todos.isEmpty == true else { return }
    for text in try await fetchTodos() { dispatch(.add(text)) }
  }
}

func loading(state: AppState, action: AppAction) -> Effect<AppAction> {
  guard case .load = action, state.todos.isEmpty else { return .none }
  return .run(key: "load", mode: .keepCurrent) { dispatch in
    for text in try await fetchTodos() { dispatch(.add(text)) }
  }
}

struct User {
  let name: String
}

private func fetchUser(_ id: Int) async throws -> User {
  if id == 0 { throw Unexpected() }
  return User(name: "Rowan")
}

struct Users {
  var id = 0
  var user: User?
  var request = JobState()
}

enum UsersAction {
  case fetch(Int)
  case fetched(User)
  case failed(any Error)
}

let users = Feature<Users, UsersAction>(
  stateEffects: [
    StateEffect(\.request, failure: UsersAction.failed) { state in
      .run { [id = state.id] dispatch in dispatch(.fetched(try await fetchUser(id))) }
    }
  ],
  reducer: { state, action in
    switch action {
    case .fetch(let id):  // pending
      state.id = id
      state.request.restart()
    case .fetched(let user):  // fulfilled
      state.user = user
      state.request.succeed()
    case .failed(let error): state.request.fail(error)  // rejected
    }
  }
)

extension Library {
  static let titles = StateSelector(\Library.books) { books in books[Book.byTitle].map(\.title) }
  static let titlesByAuthor = StateSelector.family { (author: Author.ID) in
    StateSelector(\Library.books) { books in books[Book.byAuthor, author].map(\.title) }
  }
}

@Suite("README, coming from another library")
struct ComingFromSnippets {
  @Test func `an action brings its own work`() async {
    let factory = StoreFactory<AppState, any Event>(
      initialState: AppState(),
      feature: Feature(
        effects: { _, event in
          guard let event = event as? any AsyncEvent else { return .none }
          return .run { dispatch in dispatch(try await event.perform()) }
        },
        reducer: { state, event in state.reduce(event) }
      )
    )

    factory.dispatch(Fetch())
    await factory.settled()
    #expect(factory.state.todos == ["Water the tree", "Sweep the leaves"])
  }

  @Test func `a child performs its own job`() async {
    let factory = StoreFactory<AppState, any Event>(initialState: AppState()) { state, event in state.reduce(event) }

    let backup = factory.childStore(
      initialState: Backup(),
      stateMapping: { ($0, $1) },
      feature: Feature(
        stateEffects: [
          StateEffect(\.job, failure: BackupFailed.init) { _ in
            .run { dispatch in
              try await save()
              dispatch(BackupDone())
            }
          }
        ],
        reducer: { state, event in state.reduce(event) }
      )
    )
    backup.dispatch(BackupStarted())

    await backup.settled()
    #expect(backup.state?.1.job.reason == "Unexpected()")
  }

  @Test func `effects follow a flag, a value and the jobs of a list`() async {
    let stateEffects: [StateEffect<Player, PlayerAction>] = [
      StateEffect(while: \.isPlaying) { _ in
        .run { dispatch in
          while true {
            try await second()
            dispatch(.tick)
          }
        }
      },
      StateEffect(onChange: \.track) { state in .send(.started(state.track)) },
      StateEffect(each: \.downloads, \.job, failure: PlayerAction.failed) { _, element in
        .run { dispatch in
          try await download(element.id)
          dispatch(.downloaded(element.id))
        }
      },
    ]

    var downloads = [Download(id: 1), Download(id: 2)]
    for index in downloads.indices { downloads[index].job.run() }
    let player = StoreFactory<Player, PlayerAction>(
      initialState: Player(downloads: downloads),
      feature: Feature(
        stateEffects: stateEffects,
        reducer: { state, action in
          switch action {
          case .play(let track): (state.track, state.isPlaying) = (track, true)
          case .tick:
            state.seconds += 1
            if state.seconds == 2 { state.isPlaying = false }
          case .started(let track): state.started.append(track)
          case .downloaded(let id): state.downloads[id - 1].job.succeed()
          case .failed(let id, let error): state.downloads[id - 1].job.fail(error)
          }
        }
      )
    )
    player.dispatch(.play("Fugue"))
    #expect(await player.state { $0.seconds == 2 } != nil)
    await player.settled()
    #expect(player.state.seconds == 2)
    #expect(player.state.started == ["Fugue"])
    #expect(player.state.downloads[0].job.status == .succeeded)
    #expect(player.state.downloads[1].job.reason == "Unexpected()")
  }

  @MainActor
  @Test func `a subscriber is an object`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let list = TodoList()
    list.follow(factory.rootStore())
    await factory.dispatchAndWait(.add("Rake"))
    #expect(list.rows == ["Rake"])
  }

  @Test func `middleware is an interceptor`() {
    let checking = Interceptor<AppState, AppAction> { action, context in
      guard case .add(let text) = action else { return .pass }  // next(action)
      if text.isEmpty { return .drop }  // no next
      if context.state.todos.count == 3 { context.dispatch(.draft(.edit(text))) }
      return .replace(with: .add(text.uppercased()))  // next(another)
    }

    let factory = StoreFactory(initialState: AppState(), feature: Feature(interceptors: [checking], reducer: reducer))
    for text in ["", "a", "b", "c", "d"] { factory.dispatch(.add(text)) }
    #expect(factory.state.todos == ["A", "B", "C", "D"])
    #expect(factory.state.draft == "d")
  }

  @Test func `a thunk is a task, or an effect`() async throws {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    try await refresh(factory.rootStore()).value
    try await refresh(factory.rootStore()).value
    #expect(factory.state.todos.count == 2)

    let other = StoreFactory(initialState: AppState(), feature: Feature(effects: loading, reducer: reducer))
    await other.perform(.load)
    await other.perform(.load)
    #expect(other.state.todos.count == 2)
  }

  @Test func `a slice with a request is a feature`() async {
    let factory = StoreFactory(initialState: Users(), feature: users)
    factory.dispatch(.fetch(1))
    await factory.settled()
    #expect(factory.state.user?.name == "Rowan")
    factory.dispatch(.fetch(0))
    await factory.settled()
    #expect(factory.state.request.reason == "Unexpected()")
  }

  @Test func `selectors read tables`() throws {
    var library = Library()
    try library.books.upsert(contentsOf: [
      Book(id: 1, title: "Walden", author: 7), Book(id: 2, title: "Emma", author: 8),
    ])
    let store = StoreFactory(initialState: library, reducer: libraryReducer)
    #expect(store.select(Library.titles) == ["Emma", "Walden"])
    #expect(store.select(Library.titlesByAuthor(7)) == ["Walden"])
  }
}
