import Arbor
import ArborTesting
import Foundation
import Testing

@Suite("History and transcript")
struct TranscriptTests {
  private func store() -> TestStore<Shop, ShopAction> {
    TestStore(
      initialState: Shop(),
      interceptors: [
        Interceptor { action, context in
          switch action {
          case .load: context.dispatch(.loaded(["tea"]))
          case .stop: return .replace(with: .visit)
          case .look: return .drop
          default: break
          }
          return .pass
        }
      ],
      reducer: shopReducer
    )
  }

  private func run(_ store: TestStore<Shop, ShopAction>) async {
    await store.send(.add("tea", price: 3)) {
      $0.basket.items = ["tea"]
      $0.basket.prices = ["tea": 3]
    }
    await store.send(.stop) { $0.visits = 1 }
    await store.send(.look)
    await store.send(.load) { $0.isLoading = true }
    await store.receive(.loaded(["tea"])) { $0.isLoading = false }
    store.store().dispatch(.tick)
    await store.skipReceivedActions()
    await store.send(batch: [.visit, .tick]) { $0.visits = 4 }
    await store.finish()
  }

  private let text = """
    sent .add("tea", price: 3)
      basket.items[0]: + "tea"
      basket.prices["tea"]: + 3
    sent .stop, replaced by .visit
      visits: 0 → 1
    sent .look, dropped
    sent .load
      isLoading: false → true
    received .loaded(["tea"])
      isLoading: true → false
    skipped .tick
      visits: 1 → 2
    sent .visit
      visits: 2 → 3
    sent .tick
      visits: 3 → 4
    """

  @Test func `the history has each reduced action, with the states before and after`() async {
    let store = store()
    await run(store)
    #expect(
      store.history.map { $0.action as? ShopAction }
        == [.add("tea", price: 3), .stop, .load, .loaded(["tea"]), .tick, .visit, .tick]
    )
    #expect(store.history.map(\.before.visits) == [0, 0, 1, 1, 1, 2, 3])
    #expect(store.history.map(\.after.visits) == [0, 1, 1, 1, 2, 3, 4])
    #expect(store.history.map(\.after.isLoading) == [false, false, true, false, false, false, false])
  }

  @Test func `the transcript is the same for the same run`() async {
    for _ in 1...3 {
      let store = store()
      await run(store)
      #expect(store.transcript == text)
    }
  }

  @Test func `the transcript is compared with a file, and rewritten on request`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("shop.txt").path

    let store = store()
    await run(store)
    let missing = await failures { store.expectTranscript(at: path) }
    #expect(
      missing.map(\.failure.text) == [
        """
        There is no transcript at \(path) to compare with.

        To fix this, write it: run the test once with `rewriting: true`, or with ARBOR_REWRITE_TRANSCRIPTS=1 in its environment.
        """
      ]
    )
    let rewritten = await failures { store.expectTranscript(at: path, rewriting: true) }
    #expect(rewritten.map(\.failure.severity) == [.warning])
    #expect(
      rewritten.first?.failure.text == """
        The transcript \(path) was rewritten, not compared.

        To fix this, run the test without `rewriting: true`, and without ARBOR_REWRITE_TRANSCRIPTS=1 in its environment.
        """
    )
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text + "\n")
    store.expectTranscript(at: path)

    await store.send(.visit) { $0.visits = 5 }
    let other = await failures { store.expectTranscript(at: path) }
    #expect(other.count == 1)
    #expect(
      other.first?.failure.text == """
        The transcript differs from \(path), from line 17 on.

        Expected: the lines with -
        Happened: the lines with +
            15: sent .tick
            16:   visits: 3 → 4
          + 17: sent .visit
          + 18:   visits: 4 → 5
        To fix this, fix the change, or accept the new transcript: run the test once with `rewriting: true`, or with \
        ARBOR_REWRITE_TRANSCRIPTS=1 in its environment.
        """
    )
    let unreadable = await failures { store.expectTranscript(at: folder.path) }
    #expect(unreadable.count == 1)
    await store.finish()
  }
}
