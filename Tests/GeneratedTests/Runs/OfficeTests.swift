import Arbor
import ArborEntities
import ArborTesting
import Testing

struct OfficeTests {
  @Test func `all of it`() async {
    let initialState = Office(
      people: [Person(id: 1, name: "Ann", age: 30)],
      head: nil,
      upload: JobState(),
      wrapped: [Stamped(wrappedValue: 1)],
      backoff: EffectBackoff.none,
      notes: []
    )
    let store = TestStore(initialState: initialState, feature: office)
    await store.send(.work(0, by: 0)) { try $0.people.insert(Person(id: 2, name: #"Bob "the" builder"#, age: 30)) }
    await store.send(.work(1, by: 1)) { try $0.people.update(1) { $0.name = "Anna" } }
    await store.send(.work(2, by: 2)) {
      try $0.people.update(2) {
        $0.name = "Bob"
        $0.age = 31
      }
    }
    await store.send(.work(3, by: 3)) {
      $0.people.remove(1)
      try $0.people.insert(Person(id: 3, name: "Cy", age: 1_234_567))
    }
    await store.send(.work(4, by: 4)) { $0.head = 3 }
    await store.send(.work(5, by: 5)) { $0.head = nil }
    await store.send(.work(6, by: 6)) {
      $0.people = [Person(id: 3, name: "Cy", age: 1_234_567), Person(id: 2, name: "Again", age: 30)]
    }
    await store.send(.work(7, by: 7)) {
      $0.people.remove(3)
      $0.people.remove(2)
    }
    await store.send(.work(8, by: 8)) { $0.upload.run() }
    await store.send(.work(9, by: 9)) { $0.upload.succeed() }
    await store.send(.work(10, by: 10)) {
      $0.upload.run(
        maxAttempts: 2,
        backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(9)),
        delay: .seconds(3)
      )
    }
    await store.send(.work(11, by: 11)) { $0.upload.retryOrFail("") }
    await store.send(.work(12, by: 12)) { $0.upload.retryOrFail(#"no "answer""#) }
    await store.send(.work(13, by: 13)) {
      $0.upload.run(maxAttempts: 2, backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(9)))
    }
    await store.send(.work(14, by: 14)) {
      $0.upload.restart(maxAttempts: 3, backoff: .linear(initial: .seconds(0), step: .milliseconds(1500)))
    }
    await store.send(.work(15, by: 15)) { $0.upload.cancel() }
    await store.send(.work(16, by: 16)) { $0.upload.reset() }
    await store.send(.work(17, by: 17)) {
      $0.upload.run()
      $0.upload.retryOrFail("at once")
    }
    await store.send(.work(18, by: 18)) { $0.wrapped[0].wrappedValue = 2 }
    await store.send(.work(19, by: 19)) { $0.wrapped = [Stamped(wrappedValue: 2), Stamped(wrappedValue: -3)] }
    await store.send(.work(20, by: 20)) {
      $0.backoff = EffectBackoff.constant(.seconds(2)).jittered(by: 0.5, seed: 1_000_000)
    }
    await store.send(.work(21, by: 21)) { $0.backoff = nil }
    await store.send(.work(22, by: 22)) { $0.notes = ["a"] }
    await store.send(.work(23, by: 23))
    await store.finish()
  }

  @Test func `from a running job on`() async {
    let initialState = Office(
      people: [],
      head: nil,
      upload: {
        var job = JobState()
        job.restart(
          maxAttempts: 2,
          backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(9)),
          delay: .seconds(3)
        )
        job.restart(
          maxAttempts: 2,
          backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(9)),
          delay: .seconds(3)
        )
        job.retryOrFail("")
        return job
      }(),
      wrapped: [Stamped(wrappedValue: 1)],
      backoff: EffectBackoff.none,
      notes: []
    )
    let store = TestStore(initialState: initialState, feature: office)
    await store.send(.work(12, by: 12)) { $0.upload.retryOrFail(#"no "answer""#) }
    await store.send(.work(13, by: 13)) {
      $0.upload.run(maxAttempts: 2, backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(9)))
    }
    await store.send(.work(14, by: 14)) {
      $0.upload.restart(maxAttempts: 3, backoff: .linear(initial: .seconds(0), step: .milliseconds(1500)))
    }
    await store.send(.work(15, by: 15)) { $0.upload.cancel() }
    await store.send(.work(16, by: 16)) { $0.upload.reset() }
    await store.send(.work(17, by: 17)) {
      $0.upload.run()
      $0.upload.retryOrFail("at once")
    }
    await store.send(.work(18, by: 18)) { $0.wrapped[0].wrappedValue = 2 }
    await store.send(.work(19, by: 19)) { $0.wrapped = [Stamped(wrappedValue: 2), Stamped(wrappedValue: -3)] }
    await store.send(.work(20, by: 20)) {
      $0.backoff = EffectBackoff.constant(.seconds(2)).jittered(by: 0.5, seed: 1_000_000)
    }
    await store.send(.work(21, by: 21)) { $0.backoff = nil }
    await store.send(.work(22, by: 22)) { $0.notes = ["a"] }
    await store.send(.work(23, by: 23))
    await store.finish()
  }

  @Test func `from a job that was reset on`() async {
    let initialState = Office(
      people: [],
      head: nil,
      upload: {
        var job = JobState()
        job.restart()
        job.restart()
        job.restart()
        job.restart()
        job.restart()
        job.reset()
        return job
      }(),
      wrapped: [Stamped(wrappedValue: 1)],
      backoff: EffectBackoff.none,
      notes: []
    )
    let store = TestStore(initialState: initialState, feature: office)
    await store.send(.work(17, by: 17)) {
      $0.upload.run()
      $0.upload.retryOrFail("at once")
    }
    await store.send(.work(18, by: 18)) { $0.wrapped[0].wrappedValue = 2 }
    await store.send(.work(19, by: 19)) { $0.wrapped = [Stamped(wrappedValue: 2), Stamped(wrappedValue: -3)] }
    await store.send(.work(20, by: 20)) {
      $0.backoff = EffectBackoff.constant(.seconds(2)).jittered(by: 0.5, seed: 1_000_000)
    }
    await store.send(.work(21, by: 21)) { $0.backoff = nil }
    await store.send(.work(22, by: 22)) { $0.notes = ["a"] }
    await store.send(.work(23, by: 23))
    await store.finish()
  }
}
