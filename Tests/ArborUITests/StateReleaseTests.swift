import Arbor
import ArborUI
import Dispatch
import Testing

/// Values that call back when they are released: an object on a screen may be read while it releases its old state.
@MainActor
@Suite("Releasing the state of a screen")
struct StateReleaseTests {
  final class Token: Sendable {
    private let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) {
      self.onRelease = onRelease
    }

    deinit { onRelease() }
  }

  struct Row: Identifiable, Sendable {
    let id: Int
    var token: Token?
  }

  struct Rows: Sendable {
    var rows: [Row] = []
    var count = 0
  }

  private let factory = StoreFactory<Rows, Mutation<Rows>>(initialState: Rows())

  /// Commits in a place from which nothing is delivered to the main actor immediately.
  private func commitElsewhere(_ change: @escaping @Sendable (inout Rows) -> Void) {
    DispatchQueue.global().sync { [factory] in factory.commit(change) }
  }

  @Test func `a store may be read while it releases its old state`() {
    let store = factory.observable()
    let releases = Counter()
    let token = { @Sendable in
      Token {
        releases.add()
        MainActor.assumeIsolated { _ = store.count }
      }
    }
    factory.commit { $0.rows = [Row(id: 1, token: token())] }
    commitElsewhere { $0.rows = [] }
    #expect(releases.count == 0)
    factory.commit { $0.count = 1 }
    #expect(releases.count == 1)
    #expect(store.count == 1)
  }

  @Test func `rows may be read while they release old records`() {
    let store = factory.observable()
    let rows = store.rows(of: \.rows)
    let releases = Counter()
    let token = { @Sendable in
      Token {
        releases.add()
        MainActor.assumeIsolated {
          _ = rows[2]
          _ = rows.ids
        }
      }
    }
    factory.commit { $0.rows = [Row(id: 1, token: token()), Row(id: 2)] }
    commitElsewhere { $0.rows = [Row(id: 2)] }
    factory.commit { $0.rows.append(Row(id: 3)) }
    #expect(releases.count == 1)
    #expect(rows.ids == [2, 3])
  }

  private final class Counter: Sendable {
    private let content = Protected(0)

    var count: Int { content.withLock { $0 } }

    func add() { content.withLock { $0 += 1 } }
  }
}
