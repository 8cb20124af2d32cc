import Arbor
import ArborDevTools
import ArborEntities
import ArborPersistence
import ArborSync
import ArborTesting
import ArborUI
import Foundation
import Observation
import Testing

// The code of the README, in its order, compiled and run. Another test compares the two texts.

extension Book: Codable {}

extension AppAction {
  var draftAction: DraftAction? {
    if case .draft(let action) = self { action } else { nil }
  }
}

extension AppState {
  static let longest = StateSelector(\AppState.todos) { todos in
    todos.max { $0.count < $1.count } ?? ""
  }
  static let summary = StateSelector(longest, .init(\.todos.count)) { longest, count in
    "\(count) to do, the longest: \(longest)"
  }
  static let starting = StateSelector.family { (letter: Character) in
    StateSelector(\AppState.todos) { todos in todos.filter { $0.first == letter } }
  }
}

struct Message: Equatable, Sendable {
  let text: String
}

func saving(_ text: String) -> Effect<AppAction> {
  .run { dispatch, emit in
    dispatch(.add(text))
    emit(Message(text: "Saved \(text)"))
  }
}

func announcing(state: AppState, action: AppAction) -> Effect<AppAction> {
  if case .draft(.edit(let text)) = action { saving(text) } else { .none }
}

struct Search: Equatable, Sendable {
  var query = ""
  var results: [String] = []
}

enum SearchAction: Equatable, Sendable {
  case type(String)
  case clear
  case found([String])
}

let searchReducer: Reducer<Search, SearchAction> = { state, action in
  switch action {
  case .type(let query): state.query = query
  case .clear: state.query = ""
  case .found(let results): state.results = results
  }
}

func searchEffects(state: Search, action: SearchAction) -> Effect<SearchAction> {
  switch action {
  case .type:
    .run(key: "search", mode: .debounce(.milliseconds(300))) { [query = state.query] dispatch in
      dispatch(.found(try await matches(of: query)))
    }
  case .clear: .merge(.cancel("search"), .send(.found([])))
  case .found: .none
  }
}

func matches(of query: String) async throws -> [String] {
  ["about \(query)"]
}

func search(matches: @escaping @Sendable (String) async throws -> [String]) -> Feature<Search, SearchAction> {
  Feature(
    effects: { state, action in
      switch action {
      case .type:
        .run(key: "search", mode: .debounce(.milliseconds(300))) { [query = state.query] dispatch in
          dispatch(.found(try await matches(query)))
        }
      case .clear: .merge(.cancel("search"), .send(.found([])))
      case .found: .none
      }
    },
    reducer: { state, action in
      switch action {
      case .type(let query): state.query = query
      case .clear: state.query = ""
      case .found(let results): state.results = results
      }
    }
  )
}

struct Letter: Identifiable, Sendable {
  let id: Int
  var isRead = false
}

enum LetterAction: Sendable {
  case read
}

let letter = Feature<Letter, LetterAction> { letter, _ in letter.isRead = true }

let draft = Feature<String, DraftAction> { draft, action in
  switch action {
  case .edit(let text): draft = text
  }
}

struct Author: Identifiable, Equatable, Sendable {
  let id: TypedID<Author, Int>  // write it as a literal: 7; logs show Author(7)
  var name: String
}

struct Book: Identifiable, Equatable, Sendable {
  var id: TypedID<Book, Int>
  var title: String
  var author: Author.ID
  var isbn: String?
}

extension Book: UniquelyIndexedEntity {  // IndexedEntity if there is no UniqueIndex
  static let byTitle = SortedIndex(\Book.title)
  static let byTitleBackward = SortedIndex(\Book.title) { $0 > $1 }
  static let byAuthor = GroupedIndex(\Book.author, sortedBy: \.title)
  static let byISBN = UniqueIndex(\Book.isbn)
  static let shelf = ManualOrder<Book>("shelf")
  static var indexes: [any EntityIndex<Book>] { [byTitle, byTitleBackward, byAuthor, byISBN, shelf] }
}

struct Library: Equatable, Sendable {
  var books = EntityTable<Book>()
  var authors = EntityTable<Author>()
  var problem: String?
}

struct LookV1: Codable, Sendable {
  var theme: String
}

struct LookV2: Codable, Sendable {
  var theme: String
  var size: Int
}

struct Look: Codable, Equatable, Sendable {
  var theme = "light"
  var size = 12
  var isBold = true
}

struct Errand: Codable {
  var title: String
  var isUrgent = false  // new in this version of the program
}

extension Errand: StoredDefaults {
  static let storedDefaults = Errand(title: "")
}

struct House: Codable, Equatable, Sendable {
  struct Person: Codable, Equatable, Sendable {
    var fullName: String
    var age: Int
    var isActive: Bool
  }

  var title = ""
  var rent = 0.0
  var people: [Person] = []
}

struct HouseV1: Codable, Sendable {
  struct Person: Codable, Sendable {
    var name: String
    var age: Int
  }

  var note: String
  var floor: Int
  var rent: Int
  var people: [Person]
}

struct Place<House: Sendable>: Sendable {
  var house: House
}

typealias Town = Place<House>

struct Office: Equatable, Sendable {
  var look = Look()
}

struct Shop: Sendable {
  var books = EntityTable<Book>()
  @Stamped var orders: [String] = []
}

/// A folder that is removed with its test.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  deinit { try? FileManager.default.removeItem(at: url) }
}

extension Library {
  mutating func removeAuthor(_ id: Author.ID, leavingBooksTo heir: Author.ID? = nil) throws {
    try withTransaction(&self) { library in
      library.authors.remove(id)
      let books = library.books[Book.byAuthor, id].ids
      if let heir {
        guard library.authors.contains(id: heir) else { throw EntityError<Author>.missing(heir) }
        try library.books.update(ids: books) { $0.author = heir }
      } else {
        library.books.remove(ids: books)
      }
    }
  }
}

enum LibraryAction: Sendable {
  case book(Book.ID, BookAction)
}

enum BookAction: Sendable {
  case retitle(String)
}

let libraryReducer: Reducer<Library, LibraryAction> = { library, action in
  do {
    switch action {
    case .book(let id, .retitle(let title)): try library.books.update(id) { $0.title = title }
    }
  } catch {
    library.problem = "\(error)"
  }
}

struct Settings: Equatable, Sendable {
  var name = ""
  var account = Account()
  var guest: Account?
}

struct Account: Equatable, Sendable {
  var visits = 0
  var balance = 10
}

struct NotEnough: Error {
  let missing: Int
}

struct Unexpected: Error {}

@MainActor
final class SettingsModel: StoreDriver {
  let store: Store<Settings, Mutation<Settings>>
  var title = "Settings"

  init(store: Store<Settings, Mutation<Settings>>) { self.store = store }

  func rename() {
    commit { $0.name = title }
    emit(Message(text: "Renamed"))
  }
}

actor SettingsKeeper: StoreDriver {
  private let owner = CommitStore(initialState: Settings())
  nonisolated var store: Store<Settings, Mutation<Settings>> { owner.rootStore() }

  func rename(to name: String) { commit { $0.name = name } }
}

final class AccountDispatcher: StoreDriver {
  let store: Store<Account, Mutation<Account>>

  init(of settings: CommitStore<Settings>) { store = settings.scope(at: \.account) }

  func visit() { commit { $0.visits += 1 } }
}

struct GuestDispatcher: StoreDriver {
  let store: Store<Account, Mutation<Account>>

  func visit() -> Bool { commit { $0.visits += 1 } != nil }
}

final class SettingsComponent: StoreDriver {
  private let owner = CommitStore(initialState: Settings())
  var store: Store<Settings, Mutation<Settings>> { owner.rootStore() }

  func rename(to name: String) {
    commit { $0.name = name }
    emit(Message(text: "Renamed to \(name)"))
  }
}

struct AccountService: StoreDriver {
  let store: Store<Account, Mutation<Account>>
  let fetchBalance: @Sendable () async throws -> Int

  func refresh() -> StoreTask<Void> {
    task(key: "refresh", mode: .dropCurrent) { [fetchBalance] dispatch in
      let balance = try await fetchBalance()
      dispatch(Mutation { $0.balance = balance })
    }
  }
}

final class Tracer: StoreMonitor {
  func wantsStates(of action: borrowing MonitoredAction) -> Bool { action.value(as: AppAction.self) != nil }

  func monitor(_ record: borrowing ActionRecord) {
    for transition in record.states { print(record.action.value, transition.before, transition.after) }
  }

  func monitor(_ event: StoreEvent, at time: Duration) {
    if case .taskFailed(let task, let error) = event { print("\(time): \(task.key ?? "a task") failed: \(error)") }
  }
}

@MainActor
final class Screen {
  let title = "Rowan"
  let shown = AsyncStream<[String]>.makeStream()

  func show(_ todos: [String]) {
    shown.continuation.yield(todos)
  }
}

struct Selection: Equatable, Sendable {
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

  @Test func `reducers are combined`() {
    let clearing: Reducer<AppState, AppAction> = { state, action in
      if case .add = action { state.draft = nil }
    }
    let factory = StoreFactory(initialState: AppState(), reducer: combine(reducer, clearing))

    for action in [AppAction.draft(.edit("Rake")), .add("Rake")] { factory.dispatch(action) }
    #expect(factory.state == AppState(todos: ["Rake"]))
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

  @MainActor
  @Test func `a state is changed without actions`() {
    let screen = Screen()

    let settings = CommitStore(initialState: Settings())  // a StoreFactory<Settings, Mutation<Settings>>
    settings.commit { $0.name = screen.title }
    let length = settings.commit { state in state.name.count }
    settings.commitLater(named: "greet") { $0.name = "Hello, " + $0.name }

    let account = settings.scope(at: \.account)  // Store<Account, Mutation<Account>>
    account.commit { $0.visits += 1 }
    let guest = settings.scope(atOptional: \.guest)
    if guest.commit({ $0.visits += 1 }) == nil { print("no guest") }

    do {
      try account.commit { account throws(NotEnough) in
        account.visits += 1
        if account.balance < 20 { throw NotEnough(missing: 20 - account.balance) }
        account.balance -= 20
      }
    } catch {
      print("nothing has changed: \(error.missing) are missing")  // the error is a NotEnough
    }

    #expect(length == 5)
    #expect(settings.state.name == "Hello, Rowan")
    #expect(settings.state.account == Account(visits: 1, balance: 10))
  }

  @MainActor
  @Test func `a commit returns its result, or if it was a step`() {
    let screen = Screen()
    let settings = CommitStore(initialState: Settings(name: screen.title))

    let visits = settings.commit { $0.guest?.visits }  // an `Int?`, also with a `Store`
    settings.commit(ifChanged: .equatable) { $0.name = screen.title }  // not a step if the name is the same
    let isGreeted = settings.commit(Mutation(named: "greet") { $0.name = "Hello, " + $0.name })  // true

    #expect(visits == nil)
    #expect(isGreeted)
    #expect(settings.state.name == "Hello, \(screen.title)")
  }

  @Test func `a child commits its own state`() {
    let settings = CommitStore(initialState: Settings())

    let list = settings.childCommitStore(initialState: Selection()) { settings, selection in
      selection.index.map { settings.name.prefix($0) } ?? ""
    }
    list.commit { $0.index = 3 }  // its own state, a Selection
    settings.commit { $0.name = "Rowan" }
    print(list.state ?? "")  // Row

    #expect(list.state == "Row")
  }

  @Test func `an interceptor adds to a commit that the caller waits for`() {
    let counting = Interceptor<Settings, Mutation<Settings>> { mutation, _ in
      .replace(
        with: Mutation(named: "counted") { settings in
          if mutation.apply(to: &settings) { settings.account.visits += 1 }
        }
      )
    }

    let settings = CommitStore(initialState: Settings(), feature: Feature(interceptors: [counting]))
    settings.commit { $0.name = "Rowan" }
    #expect(settings.state.name == "Rowan")
    #expect(settings.state.account.visits == 1)
  }

  @MainActor
  @Test func `drivers act for their stores`() async throws {
    let settings = CommitStore(initialState: Settings())
    let model = SettingsModel(store: settings.rootStore())
    model.rename()
    AccountDispatcher(of: settings).visit()
    let guest = GuestDispatcher(store: settings.scope(atOptional: \.guest))
    #expect(!guest.visit())
    settings.commit { $0.guest = Account() }
    #expect(guest.visit())
    let service = AccountService(store: settings.scope(at: \.account), fetchBalance: { 50 })
    try await service.refresh().value
    #expect(settings.state.name == "Settings")
    #expect(settings.state.account == Account(visits: 1, balance: 50))
    #expect(settings.state.guest?.visits == 1)
    let component = SettingsComponent()
    component.rename(to: "Rowan")
    #expect(component.state?.name == "Rowan")
    let keeper = SettingsKeeper()
    await keeper.rename(to: "Ash")
    #expect(keeper.state?.name == "Ash")
  }

  @Test func `an interceptor passes, replaces and drops`() {
    let factory = StoreFactory<AppState, AppAction>(
      initialState: AppState(),
      feature: Feature(
        interceptors: [
          Interceptor { action, context in
            guard case .add(let text) = action else { return .pass }
            if context.state.todos.contains(text) { return .drop }
            return text.isEmpty ? .replace(with: .draft(.edit(""))) : .pass
          }
        ],
        reducer: reducer
      )
    )

    for text in ["Rake", "Rake", ""] { factory.dispatch(.add(text)) }
    #expect(factory.state.todos == ["Rake"])
    #expect(factory.state.draft == "")
  }

  @Test func `changes are undone and redone`() {
    struct LetterText: Equatable, Sendable {
      var text = ""
      var isSigned = false
    }

    enum LetterAction: Sendable {
      case typed(String)
      case signed
    }

    struct Desk: Sendable {
      var letter: History<LetterText>
    }

    enum DeskAction: Sendable {
      case letter(LetterAction)
      case undo
      case redo

      var letter: LetterAction? { if case .letter(let action) = self { action } else { nil } }
    }

    let letter = Feature<LetterText, LetterAction> { letter, action in
      switch action {
      case .typed(let text): letter.text += text
      case .signed: letter.isSigned = true
      }
    }
    let desk = Feature<Desk, DeskAction>.combined(
      letter
        .withHistory(grouping: { action in if case .typed = action { "typing" } else { nil } })
        .scoped(to: \.letter, action: DeskAction.letter, extract: \.letter),
      Feature { desk, action in
        switch action {
        case .undo: desk.letter.undo()
        case .redo: desk.letter.redo()
        case .letter: break
        }
      }
    )
    let factory = StoreFactory(initialState: Desk(letter: History(LetterText())), feature: desk)
    for text in ["Dear", " tree"] { factory.dispatch(.letter(.typed(text))) }
    factory.dispatch(.letter(.signed))
    factory.dispatch(.undo)
    print(factory.state.letter.document)  // "Dear tree", not signed

    #expect(factory.state.letter.document == LetterText(text: "Dear tree"))
    factory.dispatch(.undo)
    #expect(factory.state.letter.document == LetterText())
  }

  @Test func `several people undo their own changes`() {
    struct Sketch: Equatable, Sendable {
      var title = ""
      var lines: Set<Int> = []
    }

    enum SketchAction: Sendable {
      case drawn(Int, by: String)
      case titled(String, by: String)
      case undo(by: String)

      var author: String {
        switch self {
        case .drawn(_, let author), .titled(_, let author), .undo(let author): author
        }
      }
    }

    let reduce: Reducer<Sketch, SketchAction> = { sketch, action in
      switch action {
      case .drawn(let line, _): sketch.lines.insert(line)
      case .titled(let title, _): sketch.title = title
      case .undo: break
      }
    }
    let sketch = Feature<Sketch, SketchAction>(reducer: reduce).withHistory(author: { action in action.author })
    let app = Feature<History<Sketch>, SketchAction>.combined(
      sketch,
      Feature { history, action in
        guard case .undo(let author) = action else { return }
        history.undo(by: author) { sketch, old, new in
          // The author's change lies between `new` and `old`; others may have changed `sketch` since.
          if old.title != new.title, sketch.title == old.title { sketch.title = new.title }
          sketch.lines.formUnion(new.lines.subtracting(old.lines))
          sketch.lines.subtract(old.lines.subtracting(new.lines))
          return true
        }
      }
    )
    let factory = StoreFactory(initialState: History(Sketch()), feature: app)
    factory.dispatch(batch: [.titled("Tree", by: "Ann"), .drawn(1, by: "Ann"), .drawn(2, by: "Ben")])

    factory.dispatch(.undo(by: "Ann"))
    #expect(factory.state.document == Sketch(title: "Tree", lines: [2]))
    factory.dispatch(.undo(by: "Ann"))
    #expect(factory.state.document == Sketch(title: "", lines: [2]))
  }

  @Test func `features are scoped and combined`() async {
    struct Mail: Sendable {
      var search = Search()
      var draft: String?
      var letters: [Letter] = []
      var actions = 0
    }

    enum MailAction: Sendable {
      case search(SearchAction)
      case draft(DraftAction)
      case letter(Letter.ID, LetterAction)

      var search: SearchAction? { if case .search(let action) = self { action } else { nil } }
      var draft: DraftAction? { if case .draft(let action) = self { action } else { nil } }
      var letter: (Letter.ID, LetterAction)? {
        if case .letter(let id, let action) = self { (id, action) } else { nil }
      }
    }

    let mail = Feature<Mail, MailAction>.combined(
      search(matches: matches).scoped(to: \.search, action: MailAction.search, extract: \.search),
      draft.scoped(toOptional: \.draft, action: MailAction.draft, extract: \.draft),
      letter.forEach(\.letters, action: MailAction.letter, extract: \.letter),
      Feature { state, action in state.actions += 1 }  // changes that concern the whole state
    )
    let factory = StoreFactory(initialState: Mail(), feature: mail)
    let searching = factory.scope(to: \.search, action: MailAction.search)
    searching.dispatch(.type("leaves"))

    searching.cancel("search")
    factory.dispatch(.letter(1, .read))
    factory.dispatch(.draft(.edit("Dear")))
    #expect(factory.state.search.query == "leaves")
    #expect(factory.state.draft == nil)
    #expect(factory.state.actions >= 3)
  }

  @Test func `a feature is scoped to a case of an enum`() {
    enum Screen: Sendable {
      case letters
      case search(Search)

      var search: Search? { if case .search(let search) = self { search } else { nil } }
    }

    struct Window: Sendable {
      var screen = Screen.search(Search())
    }

    let screen = Feature<Screen, SearchAction>.combined(
      search(matches: matches).scoped(toCase: Screen.search, at: \.search, action: { $0 }, extract: { $0 }),
      Feature { screen, action in if action == .clear { screen = .letters } }
    )
    let window = screen.scoped(to: \Window.screen, action: { $0 }, extract: { $0 })
    let factory = StoreFactory(
      initialState: Window(),
      feature: window,
      settings: TreeSettings(onEffectError: { _, _, error in print(error) })
    )

    factory.dispatch(.type("leaves"))
    #expect(factory.state.screen.search?.query == "leaves")
    factory.dispatch(.clear)
    #expect(factory.state.screen.search == nil)
  }

  @Test func `a thunk is a function of the store`() async throws {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let refreshing = store.task(key: "refresh", mode: .dropCurrent) { _ in try await refresh(store) }

    try await refreshing.value
    #expect(factory.state.todos.count == 2)
  }

  @Test func `an interceptor holds an action`() async {
    let asking = Interceptor<AppState, AppAction> { action, _ in
      guard action == .load else { return .pass }
      return .hold { held in
        Task { await isOnline() ? held.pass() : held.replace(with: .add("Go online")) }
      }
    }

    let factory = StoreFactory(initialState: AppState(), feature: Feature(interceptors: [asking], reducer: reducer))
    await factory.dispatchAndWait(.load)
    let state = await factory.rootStore().state { !$0.todos.isEmpty }
    #expect(state?.todos == ["Go online"])
  }

  @Test func `an effect decides about a held action`() async {
    enum ListAction: Hashable, Sendable {
      case clear
      case asked(HeldAction<ListAction>)
    }

    let list = Feature<[String], ListAction>(
      interceptors: [
        Interceptor { action, context in
          action == .clear ? .hold { held in context.dispatch(.asked(held)) } : .pass
        }
      ],
      effects: { _, action in
        guard case .asked(let held) = action else { return .none }
        return .run(key: "ask") { _ in await isSure() ? held.pass() : held.drop() }
      },
      reducer: { list, action in if action == .clear { list = [] } }
    )

    let store = TestStore(initialState: ["Rake"], feature: list)
    await store.send(.clear)
    await store.receive(where: { if case .asked = $0 { true } else { false } })
    await store.receive(.clear) { $0 = [] }
    await store.finish()
  }

  @Test func `interceptors and effects are added later`() {
    let asking = Interceptor<AppState, AppAction> { _, _ in .drop }

    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let limiting = factory.add(interceptor: asking)
    let announcing = factory.add { state, action in
      action == .load ? .emit(Message(text: "\(state.todos.count) to do")) : .none
    }
    limiting.cancel()

    factory.dispatch(.add("Rake"))
    #expect(factory.state.todos == ["Rake"])
    announcing.cancel()
  }

  @Test func `a feature's interceptor is lifted`() {
    let trimming = Interceptor<String, DraftAction> { action, context in
      guard case .edit(let text) = action else { return .pass }
      return text.count > 20 + context.state.count ? .drop : .pass
    }
    let lifted = trimming.scoped(
      to: { (state: AppState) in state.draft },
      action: AppAction.draft,
      extract: { action in if case .draft(let action) = action { action } else { nil } }
    )

    let factory = StoreFactory(initialState: AppState(), feature: Feature(interceptors: [lifted], reducer: reducer))
    let store = factory.rootStore()
    for text in [String(repeating: "a", count: 30), "b", String(repeating: "c", count: 30), "d"] {
      store.dispatch(.draft(.edit(text)))
      if text == "b" { #expect(factory.state.draft == "b") }
    }
    #expect(factory.state.draft == "d")
  }

  @Test func `a store starts tasks of its own`() async throws {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let task = store.task(key: "count") { dispatch in
      dispatch(.add("Count the leaves"))
      return 3
    }
    let count = try await task.value  // throws CancellationError if it was dropped, or the owner is gone
    print(store.isRunning("count"))  // false
    store.cancel("count")
    store.suspend("count")  // running tasks continue; no other task starts …
    store.resume("count")  // … until now
    await store.settled()

    #expect(count == 3)
    #expect(factory.state.todos == ["Count the leaves"])
  }

  @Test func `an effect turns one action into others`() async {
    let factory = StoreFactory<AppState, AppAction>(
      initialState: AppState(),
      feature: Feature(
        effects: { state, action in
          switch action {
          case .load:
            .run(key: "load", mode: .dropCurrent) { dispatch in
              for text in try await fetchTodos() { dispatch(.add(text)) }
            }
          case .draft: .cancel("load")
          case .add: .none
          }
        },
        reducer: reducer
      ),
      settings: TreeSettings(onEffectError: { key, action, error in print("\(key ?? "an effect") failed: \(error)") })
    )
    await factory.perform(.load)  // returns when its effects have ended and their actions have been reduced
    await factory.settled()  // returns when nothing is left to do: effects, their actions, deliveries

    #expect(factory.state.todos == ["Water the tree", "Sweep the leaves"])
  }

  @Test func `work is performed while the state says that it is in progress`() async {
    struct Backup: Sendable {
      var job = JobState()  // idle, in progress, succeeded, failed or canceled
    }

    enum BackupAction: Sendable {
      case start, finished, interrupted
    }

    let backup = StoreFactory<Backup, BackupAction>(
      initialState: Backup(),
      feature: Feature(
        stateEffects: [
          StateEffect(\.job) { _ in
            .run { dispatch in dispatch(await upload() ? .finished : .interrupted) }
          }
        ],
        reducer: { state, action in
          switch action {
          case .start:
            state.job.run(maxAttempts: 4, backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(5)))
          case .finished: state.job.succeed()
          case .interrupted: state.job.retryOrFail("no connection")
          }
        }
      )
    )

    backup.dispatch(.start)
    #expect(await backup.state { $0.job.status == .succeeded } != nil)
  }

  @Test func `effects follow the state`() async {
    let stateEffects: [StateEffect<Search, SearchAction>] = [
      StateEffect(onChange: \.query, mode: .debounce(.milliseconds(300))) { state in
        .run { [query = state.query] dispatch in dispatch(.found(try await matches(of: query))) }
      },
      StateEffect(while: \.query.isEmpty, retries: 5, backoff: .exponential(initial: .seconds(1))) { _ in
        .run { dispatch in dispatch(.found(try await matches(of: "what is new"))) }
      },
    ]

    let feature = Feature<Search, SearchAction>(stateEffects: stateEffects) { state, action in
      switch action {
      case .type(let query): state.query = query
      case .clear: state.query = ""
      case .found(let results): state.results = results
      }
    }
    let search = StoreFactory(initialState: Search(), feature: feature)
    #expect(await search.state { $0.results == ["about what is new"] } != nil)
    search.dispatch(.type("leaves"))
    #expect(await search.state { $0.results == ["about leaves"] } != nil)
  }

  @Test func `a failed effect takes back the shown change, and an effect reads the previous state`() async {
    enum LikeAction: Sendable {
      case like(String)
      case takeBack(String)
    }
    @Sendable func send(_ id: String) async throws { if id == "bread" { throw CancellationError() } }

    let likes = Feature<[String], LikeAction> { likes, action in
      switch action {
      case .like(let id): if !likes.contains(id) { likes.append(id) }
      case .takeBack(let id): likes.removeAll { $0 == id }
      }
    }
    .withEffects { before, likes, action in
      guard case .like(let id) = action, !before.contains(id) else { return .none }
      return .run(retries: 2, backoff: .exponential(initial: .seconds(1))) { _ in try await send(id) }
        .onFailure { _ in .takeBack(id) }
    }

    let factory = StoreFactory(initialState: [], feature: likes)
    await factory.perform(.like("bread"))
    #expect(factory.state == [])
    await factory.perform(.like("milk"))
    await factory.perform(.like("milk"))
    #expect(factory.state == ["milk"])
  }

  @MainActor
  @Test func `an activity is received`() async {
    let factory = StoreFactory(initialState: AppState(), feature: Feature(effects: announcing, reducer: reducer))
    let store = factory.rootStore()
    let screen = Screen()

    let messages = factory.observe(activities: Message.self) { message in print(message.text) }
    let banners = factory.observe(activities: Message.self, on: .main) { message in screen.show([message.text]) }
    let later = store.activities(of: Message.self)  // an async sequence: for await message in later { … }
    store.emit(Message(text: "Saved"))

    store.dispatch(.draft(.edit("Mow")))

    var heard: [String] = []
    for await message in later {
      heard.append(message.text)
      if heard.count == 2 { break }
    }
    #expect(heard == ["Saved", "Saved Mow"])
    for await shown in screen.shown.stream where shown == ["Saved Mow"] { break }
    #expect(store.state?.todos == ["Mow"])
    messages.cancel()
    banners.cancel()
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
  @Test func `observers receive changes, also on the main actor, and one store follows another`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()
    let screen = Screen()
    let second = StoreFactory<String, DraftAction>(initialState: "") { draft, action in
      if case .edit(let text) = action { draft = text }
    }
    let drafts = second.rootStore()
    let settings = CommitStore(initialState: Settings())

    var subscriptions: Set<StoreSubscription> = []

    store.observe { changes in
      changes.ifChanged(\.todos.count) { count in
        print("\(count) to do, before: \(changes.previous?.todos.count ?? 0)")
      }
      changes.ifChanged(
        { ($0.draft, $0.todos.first) },
        perform: { draft, first in print("\(draft ?? "no draft"), next: \(first ?? "nothing")") }
      )
    }
    .store(in: &subscriptions)

    store.observe(initial: false, removeDuplicates: .by(\.todos), on: .main) { [weak screen] state in
      screen?.show(state.todos)  // on the main actor
    }
    .store(in: &subscriptions)

    let copying = store.observe(removeDuplicates: .by(\.draft)) { state in
      drafts.dispatch(.edit(state.draft ?? ""))  // drafts: Store<String, DraftAction>, of another tree
    }
    let counting = store.scope(to: \.todos.count).assign(to: settings.scope(at: \.account.visits))

    await store.dispatchAndWait(.draft(.edit("Water")))
    await store.dispatchAndWait(.add("Sweep the leaves"))
    for await todos in screen.shown.stream where todos == ["Sweep the leaves"] { break }
    #expect(second.state == "Water")
    #expect(settings.state.account.visits == 1)
    #expect(subscriptions.count == 2)
    copying.cancel()
    counting.cancel()
  }

  @MainActor
  @Test func `a part is observed without macros`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)

    let observable = factory.observable()
    withObservationTracking {
      print(observable.todos.count)
    } onChange: {
      print("the to-dos change")
    }

    await factory.dispatchAndWait(.add("Rake"))
    #expect(observable.todos == ["Rake"])
    #expect(observable[\.draft?.count] == nil)
  }

  @Test func `values follow the state`() async {
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    let store = factory.rootStore()

    let count = factory.derived(\.todos.count)
    let isDrafting = factory.derived { $0.draft != nil }
    let title = Derived.combined(count, isDrafting).derived { count, isDrafting in
      isDrafting ? "\(count) and a draft" : "\(count)"
    }
    let printing = title.observe { title in print(title) }

    @DerivedBinding var draft: String
    _draft = factory.binding(get: { $0.draft ?? "" }, set: { .draft(.edit($0)) })
    draft = "Mow"  // dispatches

    store.dispatch(.add("Sweep the leaves"))
    let summary = store.select(AppState.summary)  // String?, and a value of derived(AppState.summary)
    let sweeping = store.select(AppState.starting("S"))  // [String]?, remembered for "S"

    for await count in store.states(of: \.todos.count) {
      if count == 3 { break }
      store.dispatch(.add("Rake"))
    }
    let first = await store.state { $0.todos.count > 1 }  // the first such state; nil if the store is released first
    #expect(first?.todos.count == 3)
    #expect(summary == "1 to do, the longest: Sweep the leaves")
    #expect(sweeping == ["Sweep the leaves"])
    #expect(title.value == "3 and a draft")
    #expect(draft == "Mow")
    printing.cancel()
  }

  @Test func `monitors log and count`() {
    let metrics = MetricsMonitor { (action: AppAction) in
      switch action {
      case .load: "load"
      case .add: "add"
      case .draft: "draft"
      }
    }
    let log = LogMonitor(
      where: { (action: AppAction) in if case .draft = action { false } else { true } },
      to: { line in print(line) }  // the default is standard error
    )
    let factory = StoreFactory(
      initialState: AppState(),
      settings: TreeSettings(monitors: [log, metrics]),
      reducer: reducer
    )
    factory.dispatchAndWait(.add("Rake"))
    log.flush()  // returns when everything is written
    print(metrics)  // a table of counts and sampled percentiles

    #expect(metrics.report.byKey["add"]?.count == 1)
  }

  @Test func `a recorder goes back and forth`() throws {
    let recorder = Recorder<AppState, AppAction>()
    let factory = StoreFactory(
      initialState: AppState(),
      settings: TreeSettings(monitors: [recorder]),
      reducer: reducer
    )
    for text in ["Rake", "Mow", "Prune"] { factory.dispatch(.add(text)) }

    try recorder.travel(to: 2)  // every observer sees the state after the second action: Rake, Mow
    try recorder.step(by: -1)  // the state after the first action: Rake
    try recorder.toggle(1)  // the state of a past without action 1: no to-dos
    recorder.resume()  // the present again, exactly as it was

    #expect(factory.state.todos == ["Rake", "Mow", "Prune"])
    try recorder.travel(to: 2)
    #expect(factory.state.todos == ["Rake", "Mow"])
    try recorder.step(by: -1)
    #expect(factory.state.todos == ["Rake"])
    try recorder.toggle(1)
    #expect(factory.state.todos == [])
  }

  @Test func `a recording is a value that can be written`() throws {
    let recorder = Recorder<AppState, AppAction>()
    let factory = StoreFactory(
      initialState: AppState(),
      settings: TreeSettings(monitors: [recorder]),
      reducer: reducer
    )
    for text in ["Rake", "Mow", "Prune"] { factory.dispatch(.add(text)) }
    #expect(factory.state.todos.count == 3)
    let folder = FileManager.default.temporaryDirectory
    let (file, page) = (folder.appending(path: "\(UUID()).arbor.json"), folder.appending(path: "\(UUID()).html"))
    defer { for file in [file, page] { try? FileManager.default.removeItem(at: file) } }

    guard var recording = recorder.recording else { return }  // nil before a store exists
    try recording.toggle(2)  // leaves out action number 2
    print(recording.state.todos)  // ["Rake", "Prune"]
    print(recording.changes(of: \.todos))  // [1, 3]: the actions that changed this part
    print(recording.lastPosition(where: \.todos.count, is: 1) ?? "never")  // 2, a position
    try recording.move(3, before: 1)  // see also jump, step, setActive, sweep, commit, rollBack, pause

    #expect(recording.state.todos == ["Prune", "Rake"])
    try recording.move(3, before: nil)
    #expect(recording.state.todos == ["Rake", "Prune"])
    #expect(recording.changes(of: \.todos) == [1, 3])
    #expect(recording.lastPosition(where: \.todos.count, is: 1) == 2)

    recording.redactions = [
      .value(\.draft, replacedBy: nil),
      .action { action in if case .draft = action { action = .draft(.edit("-")) } },
    ]
    try recording.writePage(to: page)  // one HTML file that you can open in a browser
    try recording.write(to: file)  // an .arbor.json file that you can load again
    let loaded = try Recording<AppState, AppAction>(contentsOf: file, reducer: reducer)
    for entry in loaded.entries { print(entry.action, entry.cause.kind) }

    #expect(loaded.state.todos == ["Rake", "Prune"])
    print(try recording.testSource(named: "the list", store: "TestStore(initialState: …, reducer: reducer)"))
  }

  @Test func `a search waits until nothing more is typed`() async {
    let clock = TestClock()
    let store = TestStore(initialState: Search(), effects: searchEffects, clock: clock, reducer: searchReducer)

    await store.send(.type("tr")) { $0.query = "tr" }
    clock.advance(by: .milliseconds(200))
    await store.send(.type("tree")) { $0.query = "tree" }
    clock.advance(by: .milliseconds(300))
    await store.receive(.found(["about tree"])) { $0.results = ["about tree"] }
    await store.finish()
  }

  @Test func `a test store has children, scopes and activities`() async {
    let store = TestStore(initialState: AppState(), reducer: reducer)

    let list = store.childStore(
      initialState: Selection(),
      feature: Feature { selection, action in if case .add = action { selection.index = 0 } }
    )
    await list.send(.add("Prune")) {
      $0.local.index = 0
      $0.parent.todos = ["Prune"]
    }

    let draft = store.scope(to: \.draft, action: AppAction.draft, extract: \.draftAction)
    draft.store().dispatch(.edit("Mow"))  // as the code under test would
    await draft.receive(.edit("Mow")) { $0 = "Mow" }

    store.store().emit(Message(text: "Saved"))
    await store.receive(activity: Message(text: "Saved"))
    await store.finish()
  }

  @Test func `records are kept in tables, indexed, watched and shown as rows`() throws {
    var library = Library()
    try library.authors.insert(Author(id: 7, name: "Thoreau"))
    try library.books.insert(Book(id: 1, title: "Walden", author: 7))
    try library.books.update(1) { $0.title = "Walden; or, Life in the Woods" }
    try library.books.upsert(Book(id: 2, title: "Cape Cod", author: 7))  // inserts or replaces; merges with a closure
    try library.books.updateIfExists(5) { $0.title = "Emma" }  // returns nil: no such record
    try library.books.insertIfAbsent(Book(id: 1, title: "A copy", author: 7))  // returns false: book 1 stays as it is
    try library.books.append(2, to: Book.shelf)  // also insert(_:at:in:), move(_:to:in:), remove(_:from:)
    try library.books.insert(contentsOf: [Book(id: 9, title: "Draft", author: 7)])  // all or none
    library.books.remove(9)  // also removeAll(where:), filter

    print(library.books[1]?.title ?? "not there")
    print(library.books[Book.byTitle].map(\.title))  // all, sorted; also library.books[Book.byTitle, "A"..<"M"]
    print(library.books[Book.byTitleBackward, from: "M", through: "A"].count)  // a range in the order of the index
    print(library.books[Book.byAuthor, 7].count)  // 2; keys(of: Book.byAuthor) returns the authors
    print(library.books[Book.byISBN, "0-486-28495-6"]?.title ?? "none")
    #expect(library.books[1]?.title == "Walden; or, Life in the Woods")
    #expect(library.books[Book.shelf].ids == [2])

    try library.books.rename([1: 2, 2: 1]) { $0.id = $1 }

    try withTransaction(&library) { library in
      try library.authors.insert(Author(id: 8, name: "Austen"))
      try library.books.insert(contentsOf: [
        Book(id: 3, title: "Emma", author: 8), Book(id: 4, title: "Persuasion", author: 8),
      ])
    }
    #expect(library.books[Book.byAuthor, 8].count == 2)
    var other = library
    try other.removeAuthor(8, leavingBooksTo: 7)
    #expect(other.books[Book.byAuthor, 7].count == 4)
    try other.removeAuthor(7)
    #expect(other.books.isEmpty && other.authors.isEmpty)
    #expect(throws: EntityError<Author>.missing(9)) { try library.removeAuthor(8, leavingBooksTo: 9) }

    let factory = StoreFactory(initialState: library, reducer: libraryReducer)
    let store = factory.rootStore()
    let emma = store.derived(entity: 3, in: \.books)  // a Derived<Book?>
    let last = store.derived(keeping: 3, in: \.books)  // keeps the last value of a deleted record
    let titles = store.derived(joining: \.books, \.authors) { books, authors in
      books.map { "\($0.title) by \(authors[$0.author]?.name ?? "nobody")" }
    }
    let rows = store.observe(table: \.books) { changes in
      let difference = changes.difference()
      print(difference.inserted, difference.removed, difference.updated)
    }

    let row = store.scope(entity: 3, in: \.books, action: LibraryAction.book)  // case book(Book.ID, BookAction)
    row.dispatch(.retitle("Emma, a novel"))
    #expect(factory.state.books[3]?.title == "Emma, a novel")
    #expect(emma?.value?.title == "Emma, a novel")
    #expect(last?.value?.isDeleted == false)
    #expect(titles?.value.last == "Persuasion by Austen")
    rows.cancel()

    let shop = CommitStore(initialState: library)
    let book = shop.scope(entity: 3, in: \.books)  // Store<Book, Mutation<Book>>
    if book.commit({ $0.title = "Emma" }) == nil { print("not there") }
    let title = shop.scope(atOptional: \.books[3]).scope(at: \.title)
    #expect(title.commit { $0 += "!" } != nil)
    #expect(shop.state.books[3]?.title == "Emma!")
  }

  @Test func `parts of a state are stored in a folder, and can be read again`() async throws {
    let temporary = TemporaryFolder()
    let folder = temporary.url
    let storage = try Storage(at: folder)
    let todos = Persisted(\AppState.todos, as: "todos")
    let (state, report) = try await storage.load(into: AppState(), [todos])
    let factory = StoreFactory(
      initialState: state,
      settings: TreeSettings(monitors: [storage.saving([todos])]),
      reducer: reducer
    )

    for note in report.notes { print(note) }  // empty unless something needs your attention
    factory.dispatch(.add("Water the tree"))
    try await storage.flush()

    let watching = Task {
      for await problem in storage.problems { print(problem) }  // the last hundred problems, then new ones
    }
    let alerts = factory.observe(activities: StorageError.self) { problem in print(problem) }

    try await storage.close()  // saves everything and gives up the right to write
    let (seen, _) = try Storage.read(at: folder, into: AppState(), [todos])
    try await storage.reopen()  // throws if another process has written in the meantime
    try await storage.erase()  // removes everything stored, including files kept aside
    #expect(seen.todos == ["Water the tree"])
    #expect(try Storage.read(at: folder, into: AppState(), [todos]).state == AppState())
    #expect(report.notes.isEmpty)
    watching.cancel()
    alerts.cancel()
  }

  @Test func `a state is shared through a log`() async throws {
    let (log, outbox) = (MemoryLog(), Storage.inMemory())
    let mailed = Mailbox()
    @Sendable func mail(_ text: String) async { await mailed.add(text) }

    let feature = Feature<Board, BoardAction>(
      interceptors: [
        .stamping { action, stamp in
          if case .add(let text, id: nil) = action { .add(text, id: stamp().id) } else { nil }
        }
      ],
      effects: { board, action in
        if case .add(let text, _) = action { .run { _ in await mail(text) } } else { .none }
      },
      reducer: reduce
    )

    let shared = try await SharedStore(
      initialState: Board(), feature: feature, log: log, client: "Ann", outbox: outbox)

    shared.dispatch(.add("Water the tree"))  // shown immediately, even offline
    print(shared.state.cards, shared.confirmed.state.cards)

    let outcome = try await shared.dispatchConfirmed(.add("Buy milk"))
    print(outcome.shown.cards, outcome.confirmed.cards)  // other clients' actions may have come first

    let status = shared.status.state  // observe it like any state
    print(status.isConnected, status.waiting, status.position, status.behind)
    if let reason = status.stop { print("syncing has stopped: \(reason)") }

    let people = shared.observe(messages: Here.self) { here, sender in print("\(sender.name) is at \(here.card)") }
    try await shared.broadcast(Here(card: 7))

    #expect(outcome.confirmed.cards.map(\.text) == ["Water the tree", "Buy milk"])
    #expect(shared.confirmed.state == shared.state)
    await shared.settled()
    #expect(await mailed.texts.sorted() == ["Buy milk", "Water the tree"])
    people.cancel()
  }

  @Test func `a shared state has versions, and is tested with a log in memory`() async throws {
    let feature = Feature<Board, BoardAction>(
      interceptors: [
        .stamping { action, stamp in
          if case .add(let text, id: nil) = action { .add(text, id: stamp().id) } else { nil }
        }
      ],
      reducer: reduce
    )
    let (log, anns) = (MemoryLog(), Storage.inMemory())
    var ann: SharedStore? = try await SharedStore(
      initialState: Board(), feature: feature, log: log, client: "Ann", outbox: anns)
    log.faults = .isDown
    await ann?.dispatchAndWait(.add("Water the tree"))  // waits in the outbox
    try await ann?.flush()
    ann = nil

    log.faults = []
    let again = try await SharedStore(
      initialState: Board(), feature: feature, log: log, client: "Ann", outbox: anns)
    let ben = try await SharedStore(
      initialState: Board(), feature: feature, log: log, client: "Ben", outbox: .inMemory())
    await again.caughtUp()
    for await board in ben.states() where board.cards.count == 1 { break }
    #expect(again.state == ben.state)

    let form = SharedForm<Board, BoardAction>(
      actionVersion: 2,
      actionMigrations: [.from(1) { _ in }],  // a case was added; older actions need no change
      stateVersion: 2,
      stateMigrations: [.from(1) { $0.rename("items", to: "cards") }]  // a missing title gets its initial value
    )
    let renewed = try await SharedStore(
      initialState: Board(), feature: feature, log: log, client: "Eve", outbox: .inMemory(), form: form)
    for await board in renewed.states() where board == ben.state { break }
  }

  @Test func `stored parts are completed and migrated`() async throws {
    let storage = Storage.inMemory()
    let old = HouseV1(note: "Home", floor: 1, rent: 900, people: [.init(name: "Ann", age: 4), .init(name: "", age: 0)])
    let first = Persisted(\Place<HouseV1>.house, as: "house")
    _ = try await storage.load(into: Place(house: old), [first])
    let town = StoreFactory<Place<HouseV1>, Int>(
      initialState: Place(house: old),
      settings: TreeSettings(monitors: [storage.saving([first])])
    ) { $0.house.floor = $1 }
    town.dispatch(2)
    try await storage.flush()

    let house = Persisted(
      \Town.house,
      as: "house",
      version: 3,
      migrations: [
        .from(1) { $0.rename("note", to: "title") },
        .from(2) { form in
          form.remove("floor")
          form.convert("rent") { (euros: Int) in Double(euros) }
          form.rename("people.*.name", to: "fullName")  // in each element
          form.edit("people.*") { person in
            person.add("isActive", true)
            if try person.value("age", as: Int.self) == 0 { person.drop() }  // removes this element
          }
        },
      ]
    )
    let (loaded, report) = try await storage.load(into: Town(house: House()), [house])
    #expect(report.notes == ["house was migrated from version 1"])
    #expect(loaded.house.people == [House.Person(fullName: "Ann", age: 4, isActive: true)])
    #expect(loaded.house.title == "Home")
    #expect(Errand.storedDefaults.title == "")

    let app = Feature<AppState, AppAction>(reducer: reducer)
    let journal = Journal(
      of: app,
      version: 2,
      migrations: [
        .from(1) { form in
          form.rename("append", to: "add")
          form.drop(case: "archive")
        }
      ]
    )
    let todos = Persisted(\AppState.todos, as: "todos")
    let journaled = try await Storage.inMemory().load(into: AppState(), [todos], journal)
    #expect(journaled.report.journal?.dropped == [:])
  }

  @Test func `stored parts have versions and codings`() async throws {
    let look = Persisted(
      \Office.look,
      as: "look",
      version: 3,
      migrations: [
        .from(1) { (old: LookV1) in LookV2(theme: old.theme, size: 12) },
        .from(2) { (old: LookV2) in Look(theme: old.theme, size: old.size, isBold: false) },
      ]
    )
    let books = Persisted(\Shop.books, as: "books", coding: .binary)  // an EntityTable
    let orders = Persisted(\Shop.orders, as: "orders", removeDuplicates: .by(\.$orders))  // an array, @Stamped

    let storage = Storage.inMemory()
    let (shop, _) = try await storage.load(into: Shop(), [books, orders])
    let store = CommitStore(initialState: shop, settings: TreeSettings(monitors: [storage.saving([books, orders])]))
    try store.commit { try $0.books.insert(Book(id: 1, title: "Walden", author: 7)) }
    try await storage.flush()
    #expect(try await storage.load(into: Shop(), [books, orders]).state.books.count == 1)
    #expect(look.version == 3)

    let seal: @Sendable (Data) throws -> Data = { Data($0.reversed()) }
    let open = seal
    let sealed = JSONCoding().transformed(as: "sealed", by: seal, undoing: open)
    let todos = Persisted(\AppState.todos, as: "todos", coding: sealed)
    #expect(try sealed.decode(Look.self, from: sealed.encode(Look())) == Look())
    #expect(sealed.name == "json+sealed")
    #expect(todos.name == "todos")
  }

  @Test func `a journal keeps each action, and reduces it again`() async throws {
    let storage = Storage.inMemory()
    let todos = Persisted(\AppState.todos, as: "todos")
    let app = Feature<AppState, AppAction>(reducer: reducer)
    let journal = Journal(of: app)
    let (state, report) = try await storage.load(into: AppState(), [todos], journal)
    let saving = storage.saving([todos], journal)
    let factory = StoreFactory(initialState: state, feature: app, settings: TreeSettings(monitors: [saving]))

    try await factory.dispatchDurably(.add("Prune"))
    print(report.journal?.replayed ?? 0)
    let again = try await storage.load(into: AppState(), [todos], journal)
    #expect(again.state.todos == ["Prune"])
    #expect(again.report.journal?.replayed == 1)
  }

  @Test func `actions are written before they are reduced, and a journal can have only some of them`() async throws {
    let storage = Storage.inMemory()
    let todos = Persisted(\AppState.todos, as: "todos")
    let app = Feature<AppState, AppAction>(reducer: reducer)
    let (state, _) = try await storage.load(into: AppState(), [todos], Journal(of: app))
    let saving = storage.saving([todos], Journal(of: app))
    let ahead = Feature<AppState, AppAction>(interceptors: [saving.writeAhead()])
    let writing = StoreFactory(
      initialState: state,
      feature: .combined(app, ahead),
      settings: TreeSettings(monitors: [saving])
    )
    await writing.dispatchAndWait(.add("Mow"))
    #expect(writing.state.todos == ["Mow"])

    let journal = Journal(of: app, action: AppAction.draft, extract: \.draftAction)
    let drafts = try await Storage.inMemory().load(into: AppState(), [todos], journal)
    #expect(drafts.report.journal?.replayed == 0)
  }

  @Test func `a test steps the real engine manually`() {
    let executor = ManualExecutor()
    let factory = StoreFactory(initialState: AppState(), settings: TreeSettings(executor: executor), reducer: reducer)

    factory.dispatch(.add("Water the tree"))
    #expect(executor.pending == 1)

    executor.run()  // or step(), run(until:), settle()
    #expect(factory.state.todos == ["Water the tree"])
  }

  @Test func `a search succeeds with each schedule`() async {
    await ManualExecutor.explore(schedules: 100) { executor in
      let store = TestStore(
        initialState: Search(),
        effects: searchEffects,
        clock: ImmediateClock(),
        executor: executor,
        reducer: searchReducer
      )
      await store.send(.type("tree")) { $0.query = "tree" }
      await store.receive(.found(["about tree"])) { $0.results = ["about tree"] }
      await store.finish()
      guard store.state.results.count == 1 else { throw Unexpected() }
    }
  }
}

func fetchTodos() async throws -> [String] {
  ["Water the tree", "Sweep the leaves"]
}

func refresh(_ store: Store<AppState, AppAction>) async throws {
  if store.state?.todos.isEmpty == true { for text in try await fetchTodos() { store.dispatch(.add(text)) } }
}

func isSure() async -> Bool { true }

func isOnline() async -> Bool {
  false
}

func upload() async -> Bool {
  true
}

struct Board: Codable, Equatable, Sendable {
  struct Card: Codable, Equatable, Sendable {
    let id: UUID
    let text: String
  }

  var cards: [Card] = []
  var title = ""
}

enum BoardAction: Codable, Sendable {
  case add(String, id: UUID? = nil)
}

@Sendable func reduce(_ board: inout Board, _ action: BoardAction) {
  // Only stamped actions have an id.
  if case .add(let text, let id?) = action { board.cards.append(Board.Card(id: id, text: text)) }
}

struct Here: Codable, Sendable {
  let card: Int
}

actor Mailbox {
  private(set) var texts: [String] = []

  func add(_ text: String) { texts.append(text) }
}
