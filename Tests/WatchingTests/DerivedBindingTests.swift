import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Derived binding")
struct DerivedBindingTests {
  private struct Person: Equatable, Sendable {
    var name = "Ada"
    var age = 36
  }

  private enum Change: Sendable {
    case rename(String)
  }

  /// A form as a user would write it.
  private struct Form {
    @DerivedBinding var name: String

    init(_ factory: StoreFactory<Person, Change>) {
      _name = factory.binding(get: \.name, set: Change.rename)
    }
  }

  let executor = ManualExecutor()

  private func factory() -> StoreFactory<Person, Change> {
    StoreFactory(initialState: Person(), settings: TreeSettings(executor: executor)) { person, change in
      if case .rename(let name) = change { person.name = String(name.prefix(5)) }
    }
  }

  @MainActor
  @Test func `after a write on the main actor, the next read returns the reducers' result`() {
    let factory = factory()
    let form = Form(factory)
    var seen: [String] = []
    let subscription = form.$name.observe(on: .main) { (name: String) in seen.append(name) }
    #expect(form.name == "Ada")
    form.name = "Augusta"
    #expect(form.name == "Augus")
    #expect(seen == ["Ada", "Augus"])
    subscription.cancel()
  }

  @Test func `after a write elsewhere, or in a callback of its tree, the action is dispatched`() {
    let factory = factory()
    let binding = factory.binding(get: \.name, set: Change.rename)
    onThreads(1) { _ in binding.wrappedValue = "Grace" }
    #expect(binding.wrappedValue == "Ada")
    executor.run()
    #expect(binding.wrappedValue == "Grace")
    let subscription = factory.observe { (person: Person) in
      if person.name == "Grace" { binding.wrappedValue = "Edith" }
    }
    executor.run()
    #expect(binding.wrappedValue == "Edith")
    subscription.cancel()
  }

  @Test(.reports("used after its owner was released")) func `a store without an owner has no binding`() {
    var factory: StoreFactory<Person, Change>? = factory()
    let store = factory!.rootStore()
    #expect(store.binding(get: \.name, set: Change.rename) != nil)
    factory = nil
    #expect(store.binding(get: \.name, set: Change.rename) == nil)
  }

  @MainActor
  @Test func `a part of a commit store is a property that commits, under its creator's name`() {
    struct Form {
      @DerivedBinding var name: String

      init(_ settings: CommitStore<Person>) { _name = settings.binding(to: \.name) }
    }
    let names = RecordedValues<String>()
    let settings = CommitStore<Person>(
      initialState: Person(),
      feature: Feature(
        interceptors: [
          Interceptor { mutation, _ in
            names.append(mutation.name)
            return .pass
          }
        ]
      )
    )
    let form = Form(settings)
    #expect(form.name == "Ada")
    form.name = "Grace"
    #expect(form.name == "Grace")
    #expect(settings.state == Person(name: "Grace", age: 36))
    #expect(names.values == ["init(_:)"])
  }

  @Test func `a part of a scope is a property too, and a nil scope has none`() {
    struct Team: Equatable, Sendable {
      var lead = Person()
      var deputy: Person?
    }
    let team = CommitStore(initialState: Team())
    let age = team.scope(at: \.lead).binding(to: \.age)
    age?.wrappedValue = 37
    #expect(team.state.lead.age == 37)
    let deputy = team.scope(atOptional: \.deputy)
    #expect(deputy.binding(to: \.age)?.wrappedValue == nil)
    team.commit { $0.deputy = Person() }
    let deputysAge = deputy.binding(to: \.age)
    team.commit { $0.deputy = nil }
    deputysAge?.wrappedValue = 1
    #expect(team.state.deputy == nil)
  }
}
