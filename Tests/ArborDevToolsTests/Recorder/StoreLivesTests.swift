import Arbor
import ArborDevTools
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("Lifetimes of recorded stores")
struct StoreLivesTests {
  /// An object in a state that shows how long the state is kept.
  private final class Token: Sendable {}

  private struct Kept: Sendable {
    var token: Token?
    var count = 0
  }

  private struct Seen {
    weak var token: Token?
  }

  private static func child(of factory: StoreFactory<Int, Int>, _ token: Token) -> StoreObject<(Int, Kept), Int> {
    factory.childStore(initialState: Kept(token: token)) { state, _ in state.count += 1 }
  }

  @Test(arguments: [false, true])
  func `stores that are gone are forgotten with their actions`(hasActions: Bool) throws {
    let recorder = Recorder<Int, Int>(limit: 4, checkpointInterval: 2)
    // A single thread, because another one might still be releasing stores during the checks. Once an executor is
    // released, its trees run on their queues.
    let executor = ManualExecutor()
    defer { withExtendedLifetime(executor) {} }
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature { $0 += $1 },
      settings: TreeSettings(monitors: [recorder], executor: executor)
    )
    var seen: [Seen] = []
    for _ in 0..<50 {
      let token = Token()
      seen.append(Seen(token: token))
      let child = Self.child(of: factory, token)
      if hasActions { child.dispatch(1) }
      _ = factory.state
      withExtendedLifetime(child) {}
    }
    // The stores are gone. A block that is being measured is kept with its states.
    _ = factory.state
    recorder.finishMeasuring()
    #expect(seen.count { $0.token != nil } <= (hasActions ? 6 : 0))
    for _ in 0..<8 { factory.dispatch(1) }
    #expect(factory.state == (hasActions ? 58 : 8))
    recorder.finishMeasuring()
    #expect(seen.allSatisfy { $0.token == nil })
    #expect(try recorder.recording?.stores(at: 0).count == 1)
  }

  /// Lets the thread sanitizer find a race.
  @Test(.reports("used after its owner was released")) func `a store may be asked while its recorded root goes`() {
    for round in 0..<500 {
      let owner = Protected<StoreFactory<Int, Int>?>(
        StoreFactory(initialState: round, settings: TreeSettings(monitors: [Recorder<Int, Int>()])) { $0 += $1 }
      )
      let store = owner.withLock { $0?.rootStore() }
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 {
          for _ in 0..<20 { store?.dispatch(1) }
        } else {
          let factory = owner.withLock { $0.take() }
          #expect(factory?.state ?? -1 >= round)
        }
      }
      #expect(owner.withLock { $0 == nil })
    }
  }

  @Test func `stores that come or go while another moment is shown have done so when the present returns`() throws {
    let recorder = Recorder<Int, Int>(checkpointInterval: 2)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { $0 += $1 }
    var early: StoreObject<(Int, Kept), Int>? = Self.child(of: factory, Token())
    early?.dispatch(1)
    for _ in 0..<4 { factory.dispatch(1) }
    try recorder.travel(to: 2)
    #expect(recorder.moment?.goneStores.isEmpty == true)
    early = nil
    let late = Self.child(of: factory, Token())
    #expect(factory.state == 2)
    recorder.resume()
    late.dispatch(5)
    #expect(factory.state == 10)
    let recording = try #require(recorder.recording)
    let ids = try (0...6).map { try recording.stores(at: $0).dropFirst().map(\.id) }
    #expect(ids[0].count == 1 && ids[4] == ids[0])
    #expect(ids[5].count == 1 && ids[5] != ids[0] && ids[6] == ids[5])
    #expect(try (recording.state(of: ids[6][0], at: 6) as? Kept)?.count == 1)
  }

  @Test func `a store that is gone stays gone when the program continues from an earlier moment`() throws {
    let recorder = Recorder<Int, Int>(checkpointInterval: 2)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) { $0 += $1 }
    var child: StoreObject<(Int, Kept), Int>? = Self.child(of: factory, Token())
    for _ in 0..<3 { child?.dispatch(1) }
    #expect(factory.state == 3)
    child = nil
    factory.dispatch(1)
    try recorder.travel(to: 2)
    #expect(recorder.moment?.goneStores.count == 1)
    let past = try #require(recorder.recording)
    recorder.continueFromHere()
    #expect(factory.state == 2)
    var recording = try #require(recorder.recording)
    #expect(try recording.stores(at: 1).count == 2 && recording.stores(at: 2).count == 1)
    #expect(try gone(in: recording) == [false, true])
    // The past itself doesn't contain that.
    recording = past
    recording.removeFollowing()
    #expect(try recording.stores(at: 2).count == 2)
    #expect(try gone(in: recording) == [false, false])
  }

  /// Returns `true` for each store of a file that is gone.
  private func gone(in recording: Recording<Int, Int>) throws -> [Bool] {
    try Recordings.withFolder { folder in
      let file = folder.appending(path: "a.arbor.json")
      try recording.write(to: file)
      return try RecordingFileReader(file).trailer().stores.map { $0.gone != nil }
    }
  }
}
