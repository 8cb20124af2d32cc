import Arbor
import ArborTesting
import Testing

// The code of the article about dependencies. Another test compares the texts.

struct Reminder: Identifiable, Equatable, Sendable {
  let id: Int
  var text: String
}

enum ReminderAction: Equatable, Sendable {
  case load
  case loaded([Reminder])
  case add(String)
  case added(Reminder)
}

struct ReminderClient: Sendable {
  var load: @Sendable () async throws -> [Reminder]
  var save: @Sendable (Reminder) async throws -> Void
}

func reminders(
  client: ReminderClient,
  clock: any Clock<Duration> = ContinuousClock(),
  makeID: @escaping @Sendable () -> Int = { .random(in: 0...Int.max) }
) -> Feature<[Reminder], ReminderAction> {
  Feature(
    effects: { _, action in
      switch action {
      case .load:
        .run(key: "load", mode: .dropCurrent) { dispatch in
          while true {
            dispatch(.loaded(try await client.load()))
            try await clock.sleep(for: .seconds(60))
          }
        }
      case .add(let text): .send(.added(Reminder(id: makeID(), text: text)))
      case .added(let reminder): .run { _ in try await client.save(reminder) }
      case .loaded: .none
      }
    },
    reducer: { reminders, action in
      switch action {
      case .loaded(let loaded): reminders = loaded
      case .added(let reminder): reminders.append(reminder)
      case .load, .add: break
      }
    }
  )
}

extension ReminderClient {
  static let preview = ReminderClient(load: { [Reminder(id: 1, text: "Water the tree")] }, save: { _ in })
}

struct Household: Equatable, Sendable {
  var reminders: [Reminder] = []
}

enum HouseholdAction: Equatable, Sendable {
  case reminders(ReminderAction)

  var reminders: ReminderAction? { if case .reminders(let action) = self { action } else { nil } }
}

struct Dependencies: Sendable {
  var reminders: ReminderClient
  var clock: any Clock<Duration> = ContinuousClock()
}

func household(_ dependencies: Dependencies) -> Feature<Household, HouseholdAction> {
  .combined(
    reminders(client: dependencies.reminders, clock: dependencies.clock)
      .scoped(to: \.reminders, action: HouseholdAction.reminders, extract: \.reminders)
  )
}

@Suite("Dependencies")
struct DependenciesSnippets {
  @Test func `reminders are loaded every minute`() async {
    let clock = TestClock()
    let store = TestStore(initialState: [], feature: reminders(client: .preview, clock: clock), clock: clock)

    await store.send(.load)
    await store.receive(.loaded([Reminder(id: 1, text: "Water the tree")])) {
      $0 = [Reminder(id: 1, text: "Water the tree")]
    }
    clock.advance(by: .seconds(60))
    await store.receive(.loaded([Reminder(id: 1, text: "Water the tree")]))
    await store.skipRunningEffects()
    await store.finish()
  }

  @Test func `a new reminder has the id that is made for it`() async {
    let client = ReminderClient(load: { [] }, save: { _ in })
    let store = TestStore(initialState: [], feature: reminders(client: client, makeID: { 7 }))

    await store.send(.add("Mow"))
    await store.receive(.added(Reminder(id: 7, text: "Mow"))) { $0 = [Reminder(id: 7, text: "Mow")] }
    await store.finish()
  }

  @Test func `the program makes its dependencies once`() async {
    let factory = StoreFactory(
      initialState: Household(),
      feature: household(Dependencies(reminders: .preview))
    )

    factory.dispatch(.reminders(.load))
    #expect(await factory.state { !$0.reminders.isEmpty } != nil)
  }
}
