import Arbor
import Synchronization
import Testing

@testable import TodosCore

@Suite struct ScreenTests {
  /// What a screen wrote.
  private final class Paper: Sendable {
    private let texts = Mutex("")

    var text: String {
      texts.withLock { $0 }
    }

    func write(_ text: String) {
      texts.withLock { $0 += text }
    }
  }

  private func show(_ actions: AppAction..., onTerminal isTerminal: Bool) -> String {
    let paper = Paper()
    let screen = Screen(isTerminal: isTerminal, write: { paper.write($0) }, complain: { paper.write("\($0)\n") })
    let factory = StoreFactory(initialState: AppState(), reducer: appReducer)
    let store = factory.rootStore()
    screen.follow(store)
    for action in actions {
      store.dispatchAndWait(action)
    }
    return paper.text
  }

  @Test func `each action is answered once`() {
    let text = show(
      .list(.add(id: 1, text: "a")),
      .editor(.text("b")),
      .list(.done(id: 1)),
      .filter(.show(.done)),
      .statistics(.show),
      .reject(reason: "why"),
      onTerminal: false
    )
    #expect(text == "added 1\ndone 1\n[x] 1 a\n1 of 1 done\n1 items, 1 done, 0 active\nerror: why\n")
  }

  @Test func `after the end nothing is shown`() {
    #expect(show(.statistics(.show), .quit, .statistics(.show), onTerminal: false) == "0 items, 0 done, 0 active\n")
  }

  @Test func `the progress of an import is a line that the next one replaces, on a terminal only`() {
    let actions: [AppAction] = [.importing(.progress(lines: 10)), .importing(.finish(items: 12))]
    #expect(show(actions[0], actions[1], onTerminal: false) == "imported 12 items\n")
    let clearLine = "\r\u{1B}[K"
    #expect(
      show(actions[0], actions[1], onTerminal: true)
        == "\(clearLine)importing: 10 lines\(clearLine)imported 12 items\n"
    )
  }
}
