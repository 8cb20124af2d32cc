import Arbor
import ArborTesting
import Testing

struct Diary: Equatable, Sendable {
  var lines: [String] = []
  var notices: [String] = []
}

enum DiaryAction: Equatable, Sendable {
  case wrote(String)
  case noticed(String)
}

struct TerminalProgramsSnippets {
  func run(_ factory: StoreFactory<Diary, DiaryAction>, reading nextLine: () -> String?) async {
    let late = factory.observe(initial: false, removeDuplicates: .by(\.notices)) { (diary: Diary) in
      if let notice = diary.notices.last { print(notice) }
    }
    while let line = nextLine() {
      factory.dispatch(.wrote(line))
      print("\(factory.state.lines.count) lines")
    }
    await factory.settled()  // until all effects have ended
    withExtendedLifetime(late) {}
  }

  @Test func `a command loop reduces each line and waits for the effects`() async {
    let factory = StoreFactory(
      initialState: Diary(),
      feature: Feature<Diary, DiaryAction>(
        effects: { _, action in
          guard case .wrote(let line) = action else { return .none }
          return .run { dispatch in dispatch(.noticed("saved \(line)")) }
        },
        reducer: { diary, action in
          switch action {
          case .wrote(let line): diary.lines.append(line)
          case .noticed(let notice): diary.notices.append(notice)
          }
        }
      )
    )
    var lines = ["one", "two"][...]
    await run(factory) { lines.popFirst() }
    #expect(factory.state.lines == ["one", "two"])
    #expect(factory.state.notices.sorted() == ["saved one", "saved two"])
  }

  @Test func `an effect with retries fails after the last delay`() async {
    let retrying = Feature<Int, Int>(
      effects: { _, action in
        guard action == 1 else { return .none }
        return .run(retries: 1, backoff: .constant(.seconds(1))) { _ in throw Offline() }.onFailure { _ in -1 }
      },
      reducer: { state, action in if action < 0 { state = action } }
    )
    let clock = TestClock()
    let store = TestStore(initialState: 0, feature: retrying, clock: clock)
    await store.send(1)
    clock.advance(by: .seconds(1))
    await store.receive(-1) { $0 = -1 }
    await store.finish()
  }
}
