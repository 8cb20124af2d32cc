import Arbor
import ArborTesting
import Testing

// Code of the article about jobs. Its first snippet is with the README's code. Another test compares the texts.

struct Radio: Equatable, Sendable {
  var isPlaying = false
  var seconds = 0
  var volume = 5
}

enum RadioAction: Equatable, Sendable {
  case play, pause, tick
  case setVolume(Int)
}

func radio(
  clock: any Clock<Duration>,
  saveVolume: @escaping @Sendable (Int) async throws -> Void
) -> Feature<Radio, RadioAction> {
  Feature(
    stateEffects: [
      StateEffect(while: \.isPlaying) { _ in
        .run { dispatch in
          while true {
            try await clock.sleep(for: .seconds(1))
            dispatch(.tick)
          }
        }
      },
      StateEffect(onChange: \.volume, mode: .debounce(.seconds(2))) { state in
        .run { [volume = state.volume] _ in try await saveVolume(volume) }
      },
    ],
    reducer: { radio, action in
      switch action {
      case .play: radio.isPlaying = true
      case .pause: radio.isPlaying = false
      case .tick: radio.seconds += 1
      case .setVolume(let volume): radio.volume = volume
      }
    }
  )
}

@Suite("Jobs")
struct JobsSnippets {
  @Test func `effects follow a condition and the changes of a part`() async {
    let clock = TestClock()
    let saved = AsyncStream<Int>.makeStream()
    let feature = radio(clock: clock, saveVolume: { saved.continuation.yield($0) })
    let store = TestStore(initialState: Radio(), feature: feature, clock: clock)

    await store.send(.play) { $0.isPlaying = true }
    clock.advance(by: .seconds(1))
    await store.receive(.tick) { $0.seconds = 1 }
    await store.send(.pause) { $0.isPlaying = false }
    await store.send(.setVolume(6)) { $0.volume = 6 }
    await store.send(.setVolume(7)) { $0.volume = 7 }
    clock.advance(by: .seconds(2))
    await store.finish()
    for await volume in saved.stream {
      #expect(volume == 7)
      break
    }
  }

  @Test func `a log of changes begins with the first value`() async {
    let entries = AsyncStream<String>.makeStream()
    @Sendable func log(_ entry: String) async { entries.continuation.yield(entry) }

    let feature = Feature<Radio, RadioAction>(
      stateEffects: [
        StateEffect(onChange: \.volume, by: ==, initial: true, mode: .parallel) { old, state in
          .run { [volume = state.volume] _ in await log("volume \(volume), before: \(old)") }
        }
      ],
      reducer: { radio, action in
        if case .setVolume(let volume) = action { radio.volume = volume }
      }
    )
    let factory = StoreFactory(initialState: Radio(), feature: feature)
    await factory.settled()
    factory.dispatch(.setVolume(6))
    await factory.settled()
    entries.continuation.finish()
    var received: [String] = []
    for await entry in entries.stream { received.append(entry) }
    #expect(received == ["volume 5, before: 5", "volume 6, before: 5"])
  }

  @Test func `an error fails a job or begins its next attempt`() async {
    struct Transfer: Equatable, Sendable {
      var file = "leaves.txt"
      var job = JobState()
    }

    enum TransferAction: Sendable {
      case start
      case sent
      case failed(any Error)
    }

    @Sendable func send(_ file: String) async throws { throw Offline() }

    let transfer = Feature<Transfer, TransferAction>(
      stateEffects: [
        StateEffect(\.job, failure: TransferAction.failed) { state in
          .run { [file = state.file] dispatch in
            try await send(file)
            dispatch(.sent)
          }
        }
      ],
      reducer: { transfer, action in
        switch action {
        case .start: transfer.job.run(maxAttempts: 3, backoff: .constant(.seconds(1)))
        case .sent: transfer.job.succeed()
        case .failed(let error): transfer.job.retryOrFail(error)
        }
      }
    )

    let settings = TreeSettings(clock: ImmediateClock())
    let factory = StoreFactory(initialState: Transfer(), feature: transfer, settings: settings)
    factory.dispatch(.start)
    let state = await factory.state { !$0.job.isInProgress }
    #expect(state?.job.reason == "Offline()")
  }
}
