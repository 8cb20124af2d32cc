import Arbor
import ArborEntities
import ArborTesting
import ArborUI
import Combine
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Bindings")
struct BindingTests {
  struct Profile: Equatable, Sendable {
    var name = "Ada"
    var age = 36
    var editor: Editor?
  }

  /// An action that cannot be compared.
  enum Change: Sendable {
    case rename(String)
  }

  let factory = StoreFactory(initialState: Shop(), feature: shopFeature)

  @Test func `bindings that one call site makes for the same part are equal if their function captures nothing`() {
    let store = factory.observable()
    let reader = factory.reader()
    func binding() -> Binding<String> { store.binding(\.name, send: ShopAction.rename) }
    func closure() -> Binding<String> { store.binding(\.name, send: { .rename($0) }) }
    func trailing() -> Binding<String> { store.binding(\.name) { .rename($0) } }
    func read() -> Binding<String> { reader.binding(\.name, send: ShopAction.rename) }
    let other = StoreFactory<Profile, Change>(initialState: Profile()) { _, _ in }.observable()
    func change() -> Binding<String> { other.binding(\.name, send: Change.rename) }
    for make in [binding, closure, trailing, read, change] {
      let first = make()
      #expect(first.location != nil)
      #expect(first.location == make().location)
      // Even if the part has changed in between.
      store.send(.rename(store.name + "."))
      #expect(first.location == make().location)
    }
  }

  @Test func `bindings that send other actions, or of another part or store, are not equal`() {
    let store = factory.observable()
    let binding = store.binding(\.name, send: { ShopAction.item(1, .title($0)) })
    #expect(binding.location != store.binding(\.name, send: { ShopAction.item(2, .title($0)) }).location)
    #expect(binding.location != factory.observable().binding(\.name, send: { ShopAction.item(1, .title($0)) }).location)
    let number = store.binding(\.visitors, send: { _ in ShopAction.enter })
    #expect(number.location != store.binding(\.items.count, send: { _ in ShopAction.enter }).location)
  }

  @Test func `bindings of different parts are not equal, even if one call site makes them by one function`() {
    let store = factory.observable()
    func binding(_ part: any KeyPath<Shop, Int> & Sendable) -> Binding<Int> {
      store.binding(part, send: { _ in ShopAction.enter })
    }
    #expect(binding(\.visitors).location == binding(\.visitors).location)
    #expect(binding(\.visitors).location != binding(\.items.count).location)
  }

  @Test func `bindings of one call site with different captured values write by their own functions`() {
    let store = factory.observable()
    // For the current visitors, none, both functions make the same action.
    func binding(factor: Int) -> Binding<Int> {
      store.binding(\.visitors, send: { count in .travel([count * factor]) })
    }
    let (first, second) = (binding(factor: 2), binding(factor: 3))
    #expect(first.location != second.location)
    #expect(first.location == first.location)
    first.wrappedValue = 1
    #expect(store.path == [2])
    second.wrappedValue = 1
    #expect(store.path == [3])
  }

  @Test func `presentations of one call site with different captured values dismiss by their own functions`() {
    let store = factory.observable()
    func sheet(_ place: Int) -> Binding<Editor?> {
      store.item(\.editor, dismiss: { editor in .travel([editor.id * place]) })
    }
    func plain() -> Binding<Editor?> { store.item(\.editor, dismiss: { .closeEditor(id: $0.id) }) }
    // Without an item, no sample distinguishes them.
    let (first, second) = (sheet(2), sheet(3))
    #expect(first.location != second.location)
    #expect(plain().location == plain().location)
    store.send(.edit(id: 1))
    #expect(sheet(2).location != sheet(3).location)
    #expect(plain().location == plain().location)
    second.wrappedValue = nil
    #expect(store.path == [3])
    first.wrappedValue = nil
    #expect(store.path == [2])
  }

  @Test func `a store of commits has bindings of its parts, which are equal`() {
    let factory = StoreFactory(initialState: Profile())
    @Bindable var store = factory.observable()
    let name = $store.name
    name.wrappedValue = "Eve"
    #expect(factory.state.name == "Eve")
    #expect(name.wrappedValue == "Eve")
    #expect(name.location != nil)
    #expect(name.location == $store.name.location)
    let reader = factory.reader()
    let age = ObservedObject(wrappedValue: reader).projectedValue.age
    age.wrappedValue = 37
    #expect(reader.age == 37)
    #expect(factory.state.age == 37)
  }

  @Test func `after an interceptor drops a commit, the field shows the actual value`() {
    let factory = StoreFactory(
      initialState: Profile(),
      feature: Feature(interceptors: [Interceptor { _, _ in .drop }])
    )
    let store = factory.observable()
    let field = Redraws { _ = store.name }
    store.name = "Eve"
    #expect(store.name == "Ada")
    #expect(field.count == 1)
  }

  @Test func `a navigation stack follows an array, as far as the reducer allows`() {
    let store = factory.observable()
    let path = store.binding(\.path, send: ShopAction.travel)
    path.wrappedValue = [1]
    path.wrappedValue.append(2)
    #expect(factory.state.path == [1, 2])
    let stack = Redraws { _ = store.path }
    path.wrappedValue.append(3)
    #expect(path.wrappedValue == [1, 2])
    #expect(stack.count == 1)
    path.wrappedValue.removeLast(2)
    #expect(factory.state.path == [])
  }

  @Test func `an optional part of a store of commits is dismissed by a commit, unless it has another item`() {
    let factory = StoreFactory(initialState: Profile(editor: Editor(id: 1)))
    let store = factory.observable()
    let first = store.item(\.editor)
    let alert = store.isPresented(\.editor)
    #expect(first.location == store.item(\.editor).location)
    #expect(alert.wrappedValue)
    factory.commit { $0.editor = Editor(id: 2) }
    #expect(first.location != store.item(\.editor).location)
    first.wrappedValue = nil
    alert.wrappedValue = false
    #expect(factory.state.editor?.id == 2)
    store.isPresented(\.editor).wrappedValue = false
    #expect(factory.state.editor == nil)
    #expect(!alert.wrappedValue)
  }

  @Test func `the content of a sheet commits its item, but nothing after the item is replaced`() {
    let factory = StoreFactory(initialState: Profile(editor: Editor(id: 1)))
    let store = factory.observable()
    @Bindable var editor = store.presented(store.editor!, at: \.editor)
    $editor.text.wrappedValue = "first"
    #expect(factory.state.editor?.text == "first")
    factory.commit { $0.editor = Editor(id: 2) }
    $editor.text.wrappedValue = "late"
    #expect(factory.state.editor?.text == "")
    #expect(editor.text == "first")
  }

  @Test func `a binding made while nothing was presented dismisses the item, and its maker is notified`() {
    let store = factory.observable()
    let maker = Redraws { _ = store.item(\.editor, dismiss: { ShopAction.closeEditor(id: $0.id) }) }
    let sheet = store.item(\.editor, dismiss: { ShopAction.closeEditor(id: $0.id) })
    store.send(.edit(id: 1))
    #expect(maker.count == 1)
    #expect(sheet.wrappedValue?.id == 1)
    sheet.wrappedValue = nil
    #expect(store.editor == nil)
  }

  @Test func `a presentation dismisses its own item, but not the one that replaced it`() {
    // Queued alerts: the next one comes in the step that closes the first.
    let factory = StoreFactory<Shop, ShopAction>(initialState: Shop()) { shop, action in
      switch action {
      case .edit(let id): shop.editor = Editor(id: id)
      case .closeEditor(let id): shop.editor = id == 1 ? Editor(id: 2) : nil
      default: break
      }
    }
    let store = factory.observable()
    let sheet = store.item(\.editor, dismiss: { ShopAction.closeEditor(id: $0.id) })
    store.send(.edit(id: 1))
    #expect(sheet.wrappedValue?.id == 1)
    for _ in 1...2 { sheet.wrappedValue = nil }
    #expect(store.editor?.id == 2)
  }

  @Test func `a late write never reaches the item that has replaced another`() {
    let strays = Protected(0)
    let counting = Feature<Shop, ShopAction> { shop, action in
      if case .editor = action, shop.editor?.id != 1 { strays.withLock { $0 += 1 } }
    }
    let factory = StoreFactory(initialState: Shop(editor: Editor(id: 1)), feature: .combined(shopFeature, counting))
    let content = factory.observable().presented(Editor(id: 1), at: \.editor, action: ShopAction.editor)
    let isOver = Protected(false)
    let thread = TestThread {
      while !isOver.withLock({ $0 }) {
        for id in [1, 2] { factory.dispatchAndWait(.edit(id: id)) }
      }
    }
    for _ in 0..<10_000 { content.send(.text("late")) }
    isOver.withLock { $0 = true }
    thread.join()
    #expect(strays.withLock { $0 } == 0)
  }

  @Test func `only the nested part of a store of commits is written`() {
    struct Address: Equatable, Sendable {
      var city = "Rome"
      var zip = "1"
    }
    struct Person: Equatable, Sendable {
      var address = Address()
    }
    let factory = StoreFactory<Person, Mutation<Person>>(initialState: Person())
    let (store, reader) = (factory.observable(), factory.reader())
    TestThread { factory.commit { $0.address.zip = "2" } }.join()
    Bindable(store)[\.address.city].wrappedValue = "Oslo"
    #expect(factory.state.address == Address(city: "Oslo", zip: "2"))
    #expect(store.address.zip == "2")
    TestThread { factory.commit { $0.address.zip = "3" } }.join()
    reader[\.address.city] = "Bergen"
    #expect(factory.state.address == Address(city: "Bergen", zip: "3"))
  }

  @Test func `scopes and items with different actions are different objects`() {
    let store = factory.observable()
    store.send(.edit(id: 1))
    let first = store.scope(to: \.name, action: ShopAction.rename)
    let second = store.scope(to: \.name, action: { (name: String) in ShopAction.rename("not " + name) })
    first.send("Market")
    #expect(store.name == "Market")
    second.send("Market")
    #expect(store.name == "not Market")
  }

  @Test func `scopes, readers and items of one call site with different captured values are different objects`() {
    let store = factory.observable()
    let reader = factory.reader()
    store.send(.edit(id: 1))
    let editor = Editor(id: 1)
    func send(_ name: String, prefix: String) {
      store.scope(to: \.name, action: { (name: String) in .rename(prefix + name) }).send(name)
    }
    func read(_ name: String, prefix: String) {
      reader.scope(to: \.name, action: { (name: String) in .rename(prefix + name) }).send(name)
    }
    func present(_ name: String, prefix: String) {
      store.presented(editor, at: \.editor, action: { (name: String) in .rename(prefix + name) }).send(name)
    }
    func presentReader(_ name: String, prefix: String) {
      reader.presented(editor, at: \.editor, action: { (name: String) in .rename(prefix + name) }).send(name)
    }
    for use in [send, read, present, presentReader] {
      use("Market", "old ")
      #expect(store.name == "old Market")
      use("Market", "new ")
      #expect(store.name == "new Market")
    }
  }

  @Test func `the store of an item is the same each time, and so is its reader`() {
    let store = factory.observable()
    let reader = factory.reader()
    store.send(.edit(id: 1))
    func item(_ id: Int) -> ObservableStore<Editor, EditorAction> {
      store.presented(Editor(id: id), at: \.editor, action: ShopAction.editor)
    }
    func readItem(_ id: Int) -> StoreReader<Editor, EditorAction> {
      reader.presented(Editor(id: id), at: \.editor, action: ShopAction.editor)
    }
    let (kept, readKept) = (item(1), readItem(1))
    #expect(kept === item(1))
    #expect(kept !== item(2))
    #expect(readKept === readItem(1))
    #expect(readKept !== readItem(2))
    let profile = StoreFactory(initialState: Profile(editor: Editor(id: 1))).observable()
    let commits = profile.presented(Editor(id: 1), at: \.editor)
    #expect(commits === profile.presented(Editor(id: 1), at: \.editor))
  }

  @Test func `a view that owns a child of a nil part stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let factory = StoreFactory(initialState: Shop(), feature: shopFeature)
        let child = factory.scopeStore(toOptional: \.editor).childStore(
          initialState: 0,
          stateMapping: { editor, local in "\(editor.id) \(local)" },
          reducer: { _, _ in }
        )
        _ = LocalStore(child).wrappedValue
      }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("Show the view only while the parent has a state.") == true)
  }

  @Test func `a reader may be read while it releases its old state`() {
    final class Token: Sendable {
      let onRelease: @Sendable () -> Void
      init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    struct Holder: Sendable {
      var count = 0
      var token: Token?
    }
    let factory = StoreFactory<Holder, Mutation<Holder>>(initialState: Holder())
    let reader = factory.reader()
    let releases = Protected(0)
    factory.commit {
      $0.token = Token {
        releases.withLock { $0 += 1 }
        MainActor.assumeIsolated { _ = reader.count }
      }
    }
    TestThread { factory.commit { $0.token = nil } }.join()
    factory.commit { $0.count = 1 }
    #expect(releases.withLock { $0 } == 1)
  }

  @Test func `a sheet that the reducers keep open is presented again`() {
    let factory = StoreFactory<Shop, ShopAction>(initialState: Shop(editor: Editor(id: 1))) { _, _ in }
    let store = factory.observable()
    let sheet = Redraws { _ = store.item(\.editor, dismiss: { .closeEditor(id: $0.id) }).wrappedValue }
    store.item(\.editor, dismiss: { .closeEditor(id: $0.id) }).wrappedValue = nil
    #expect(store.editor?.id == 1)
    #expect(sheet.count == 1)
  }

  @Test func `a binding that is set in a callback of the tree does not wait`() {
    nonisolated(unsafe) var seen: String?
    // The waiting main thread runs the tree's work here, so the main thread is in a callback.
    let executor = ManualExecutor()
    let factory = StoreFactory(initialState: Shop(), feature: shopFeature, settings: TreeSettings(executor: executor))
    let own = factory.observable()
    let name = own.binding(\.name, send: ShopAction.rename)
    nonisolated(unsafe) let write = {
      name.wrappedValue = "Market"
      seen = name.wrappedValue
    }
    let subscription = factory.observe { (shop: Shop) in if shop.visitors == 1, seen == nil { write() } }
    own.dispatchAndWait(.enter)
    #expect(seen == "Corner")
    #expect(factory.state.name == "Market")
    subscription.cancel()
  }

  @Test(.reports("used after its owner was released"))
  func `a store whose owner is gone keeps its state and ignores writes`() {
    var factory: StoreFactory? = StoreFactory(initialState: Shop(), feature: shopFeature)
    let store = factory!.observable()
    let reader = factory!.reader()
    factory = nil
    store.binding(\.name, send: ShopAction.rename).wrappedValue = "late"
    reader.binding(\.name, send: ShopAction.rename).wrappedValue = "late"
    #expect(store.name == "Corner")
    #expect(reader.name == "Corner")
  }
}

@MainActor
@Suite("Stores for previews and local stores")
struct LocalStoreTests {
  @Test func `a constant store shows a state and ignores actions`() {
    let store = ObservableStore<Shop, ShopAction>.constant(Shop(name: "Preview"))
    store.send(.enter)
    store.dispatch(.enter)
    store.binding(\.name, send: ShopAction.rename).wrappedValue = "changed"
    #expect(store.state == Shop(name: "Preview"))
    #expect(store.rows(of: \.items, action: ShopAction.item).ids == [])
  }

  @Test(.reports("used after its owner was released")) func `a child store lives as long as its view`() {
    let factory = StoreFactory(initialState: Shop(), feature: shopFeature)
    var local: LocalStore<(Shop, Int), ShopAction>? = LocalStore(
      factory.childStore(initialState: 0) { count, _ in count += 1 }
    )
    let store = local!.wrappedValue
    store.dispatchAndWait(.enter)
    #expect(store[untracked: \.1] == 1)
    #expect(store[\.0.visitors] == 1)
    local = nil
    store.dispatchAndWait(.enter)
    #expect(store[untracked: \.1] == 1)
    #expect(factory.state.visitors == 1)
  }

  @Test func `a local store of commits has bindings`() {
    let local = LocalStore(StoreFactory(initialState: Shop()))
    local.projectedValue.name.wrappedValue = "Market"
    #expect(local.wrappedValue.name == "Market")
  }

  @Test func `a reader publishes for the parts that were read, just before they change`() {
    let factory = StoreFactory(initialState: Shop(), feature: shopFeature)
    let reader = factory.reader()
    var seen: [Int] = []
    let cancellable = reader.objectWillChange.sink { MainActor.assumeIsolated { seen.append(reader.visitors) } }
    reader.send(.enter)
    #expect(seen == [])
    #expect(reader.visitors == 1)
    reader.send(.rename("Market"))
    reader.send(.enter)
    #expect(seen == [1])
    #expect(reader.visitors == 2)
    cancellable.cancel()
  }
}

@MainActor
@Suite("Scopes for views")
struct ScopeTests {
  let factory = StoreFactory(initialState: Shop(), feature: shopFeature)

  @Test func `the store of a part is the same each time, and is notified only of the part`() {
    let store = factory.observable()
    let reader = factory.reader()
    func scope() -> ObservableStore<String, String> { store.scope(to: \.name, action: ShopAction.rename) }
    func readScope() -> StoreReader<String, String> { reader.scope(to: \.name, action: ShopAction.rename) }
    let (name, readName) = (scope(), readScope())
    #expect(name === scope())
    #expect(readName === readScope())
    let redraws = Redraws { _ = name.state }
    store.send(.enter)
    #expect(redraws.count == 0)
    name.send("Market")
    #expect(redraws.count == 1)
    #expect(name.state == "Market")
    #expect(readName[\.self] == "Market")
    #expect(factory.state.name == "Market")
  }
}
