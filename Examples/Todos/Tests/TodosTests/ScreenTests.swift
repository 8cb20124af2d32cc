import Arbor
import Synchronization
import Testing

@testable import TodosCore

@Suite struct ScreenTests {
  /// The text that a screen wrote.
  private final class Paper: Sendable {
    private let texts = Mutex("")

    var text: String {
      texts.withLock { $0 }
    }

    func write(_ text: String) {
      texts.withLock { $0 += text }
    }
  }

  private func show(_ messages: Message..., after actions: [AppAction] = [], onTerminal isTerminal: Bool) -> String {
    let paper = Paper()
    let screen = Screen(isTerminal: isTerminal, write: { paper.write($0) }, complain: { paper.write("\($0)\n") })
    let factory = StoreFactory(initialState: AppState(), feature: appFeature { _, _ in [] })
    let store = factory.rootStore()
    screen.follow(store)
    store.dispatch(batch: actions)
    for message in messages { store.emit(message) }
    _ = factory.state
    return paper.text
  }

  @Test func `each message is printed once, with the state of its moment`() {
    let text = show(
      .line("a line"),
      .list,
      .statistics,
      .error("why"),
      after: [.list(.add(id: 1, text: "a")), .list(.done(id: 1)), .filter(.show(.done))],
      onTerminal: false
    )
    #expect(text == "a line\n[x] 1 a\n1 of 1 done\n1 items, 1 done, 0 active\nerror: why\n")
  }

  @Test func `the progress of an import is a line that the next one replaces, only on a terminal`() {
    let messages: [Message] = [.progress(lines: 10), .line("imported 12 items")]
    #expect(show(messages[0], messages[1], onTerminal: false) == "imported 12 items\n")
    let clearLine = "\r\u{1B}[K"
    #expect(
      show(messages[0], messages[1], onTerminal: true)
        == "\(clearLine)importing: 10 lines\(clearLine)imported 12 items\n"
    )
  }
}
