import Arbor
import ArborEntities
import ArborUI
import Combine
import SwiftUI
import Testing

/// Bugs that users of other adapters between stores and screens have reported, one test each.
@MainActor
@Suite("Bugs reported for other adapters")
struct ReportedTests {
  let factory = StoreFactory(initialState: Shop(), feature: shopFeature)

  @Test func `the cursor of a text field does not jump`() {
    let store = factory.observable()
    let binding = store.binding(\.name, send: ShopAction.rename)
    binding.wrappedValue = "Market"
    #expect(binding.wrappedValue == "Market")
    #expect(factory.state.name == "Market")
  }

  @Test func `the cursor of a text field does not jump without Observation`() {
    let reader = factory.reader()
    let binding = reader.binding(\.name, send: ShopAction.rename)
    binding.wrappedValue = "Market"
    #expect(binding.wrappedValue == "Market")
  }

  @Test func `a field does not keep showing a value that the reducer refused`() {
    let store = factory.observable()
    let field = Redraws { _ = store.name }
    store.binding(\.name, send: ShopAction.rename).wrappedValue = ""
    #expect(store.name == "Corner")
    #expect(field.count == 1)
  }

  @Test func `a field does not keep showing a refused value without Observation`() {
    let reader = factory.reader()
    #expect(reader.name == "Corner")
    var published = 0
    let cancellable = reader.objectWillChange.sink { published += 1 }
    reader.binding(\.name, send: ShopAction.rename).wrappedValue = ""
    #expect(published == 1)
    cancellable.cancel()
  }

  @Test func `no changes are published from within view updates`() {
    let shown = factory.observable()
    let reader = factory.reader()
    let redraws = Redraws { _ = shown.visitors }
    #expect(reader.visitors == 0)
    var published = 0
    let cancellable = reader.objectWillChange.sink { published += 1 }
    // A delivery waits for the main actor while a view is updated that makes its own stores.
    factory.dispatch(.enter)
    #expect(factory.state.visitors == 1)
    let other = factory.observable()
    let otherReader = factory.reader()
    let constant = factory.derived(\.visitors).observable()
    #expect(other.visitors == 1)
    #expect(otherReader.visitors == 1)
    #expect(constant.state == 1)
    #expect(redraws.count == 0)
    #expect(published == 0)
    factory.rootStore().dispatchAndWait(.enter)
    #expect(redraws.count == 1)
    #expect(published == 1)
    #expect(other.visitors == 2)
    #expect(constant.state == 2)
    cancellable.cancel()
  }

  @Test func `views are not stale until the next event`() {
    let store = factory.observable()
    let thread = Thread { [factory] in factory.dispatch(.enter) }
    thread.start()
    while factory.state.visitors == 0 {}
    store.send(.rename("Market"))
    #expect(store.visitors == 1)
    factory.dispatch(.edit(id: 1))
    factory.rootStore().dispatchAndWait(.enter)
    let editor = store.editor!
    // If requested again in the next update of the view, it is the same store, with the same subscription.
    func presented() -> ObservableStore<Editor, EditorAction> {
      store.presented(editor, at: \.editor, action: ShopAction.editor)
    }
    func rows() -> StoreRows<EntityTable<Item>, ItemAction> { store.rows(of: \.items, action: ShopAction.item) }
    let (firstPresented, firstRows) = (presented(), rows())
    #expect(firstPresented === presented())
    #expect(firstRows === rows())
  }

  @Test func `optional children do not redraw too many views`() {
    let store = factory.observable()
    let item = store.item(\.editor, dismiss: { ShopAction.closeEditor(id: $0.id) })
    let sheet = Redraws { _ = item.wrappedValue }
    store.send(.edit(id: 1))
    #expect(sheet.count == 1)
    let shown = store.item(\.editor, dismiss: { ShopAction.closeEditor(id: $0.id) })
    let presented = Redraws { _ = shown.wrappedValue }
    store.send(.editor(.text("changed")))
    #expect(presented.count == 0)
    #expect(shown.wrappedValue?.text == "changed")
  }

  @Test func `enums do not redraw too many views`() {
    let store = factory.observable()
    let sheet = Redraws { _ = store.item(\.destination?.editor, dismiss: { .closeEditor(id: $0.id) }).wrappedValue }
    store.send(.go(.help))
    #expect(sheet.count == 0)
    store.send(.go(.editor(Editor(id: 1))))
    #expect(sheet.count == 1)
  }

  @Test func `lists do not redraw too many views`() {
    let store = factory.observable()
    store.send(.stock((1...3).map { Item(id: $0, title: "Item \($0)", price: $0) }))
    for rows in [store.rows(of: \.items, action: ShopAction.item)] {
      let all = rows.ids.map { rows[$0]! }
      let list = Redraws { _ = rows.ids }
      let redraws = all.map { row in Redraws { _ = row.title } }
      store.send(.item(2, .title("Tea")))
      #expect(redraws.map(\.count) == [0, 1, 0])
      #expect(list.count == 0)
      #expect(all[1].title == "Tea")
    }
  }

  @Test func `a deleted row can be read once more without a crash`() {
    let store = factory.observable()
    store.send(.stock([Item(id: 1, title: "Tea"), Item(id: 2, title: "Salt")]))
    let rows = store.rows(of: \.items, action: ShopAction.item)
    let row = rows[1]!
    store.send(.remove([1]))
    #expect(row.title == "Tea")
    #expect(rows[1] === row)
    #expect(rows.ids == [2])
    #expect(rows.ids(at: IndexSet([0, 1, 7])) == [2])
    let binding = row.binding(\.title, send: ItemAction.title)
    binding.wrappedValue = "Coffee"
    #expect(binding.wrappedValue == "Tea")
    #expect(rows[3] == nil)
  }

  @Test func `a child does not act after it was dismissed`() {
    let actions = Protected<[ShopAction]>([])
    let factory = StoreFactory(
      initialState: Shop(editor: Editor(id: 1, text: "old")),
      feature: Feature<Shop, ShopAction>.combined(
        shopFeature,
        Feature { _, action in actions.withLock { $0.append(action) } }
      )
    )
    let store = factory.observable()
    let editor = store.presented(store.editor!, at: \.editor, action: ShopAction.editor)
    let text = editor.binding(\.text, send: EditorAction.text)
    let field = Redraws { _ = editor.text }
    store.send(.edit(id: 2))
    text.wrappedValue = "late"
    editor.send(.text("later"))
    #expect(factory.state.editor == Editor(id: 2))
    #expect(actions.withLock { $0 } == [.edit(id: 2)])
    // The field shows the actual value, not the written one.
    #expect(field.count == 1)
    #expect(text.wrappedValue == "old")
  }

  @Test func `the content does not flicker while it is dismissed`() {
    let store = factory.observable()
    store.send(.edit(id: 1))
    let item = store.editor!
    // The content of the sheet is requested again while it is being dismissed.
    func content() -> ObservableStore<Editor, EditorAction> {
      store.presented(item, at: \.editor, action: ShopAction.editor)
    }
    let first = content()
    first.send(.text("last"))
    store.send(.closeEditor(id: 1))
    #expect(store.editor == nil)
    #expect(content().text == "last")
    #expect(content() === first)
  }

  @Test func `a dismissal is sent, and not for the next item`() {
    let actions = Protected<[ShopAction]>([])
    let factory = StoreFactory(
      initialState: Shop(),
      feature: Feature<Shop, ShopAction>.combined(
        shopFeature,
        Feature { _, action in actions.withLock { $0.append(action) } }
      )
    )
    let store = factory.observable()
    func sheet() -> Binding<Editor?> { store.item(\.editor, dismiss: { ShopAction.closeEditor(id: $0.id) }) }
    store.send(.edit(id: 1))
    let first = sheet()
    // The program replaces the first sheet by another one. The first sheet's dismissal doesn't affect the second.
    store.send(.edit(id: 2))
    first.wrappedValue = nil
    #expect(store.editor?.id == 2)
    let second = sheet()
    second.wrappedValue = nil
    second.wrappedValue = nil
    #expect(store.editor == nil)
    #expect(actions.withLock { $0 } == [.edit(id: 1), .edit(id: 2), .closeEditor(id: 2)])
  }

  @Test func `an animation is not lost over an asynchronous hop`() {
    let store = factory.observable()
    var animation: Animation?
    withObservationTracking {
      _ = store.visitors
    } onChange: {
      MainActor.assumeIsolated { animation = Animation.running }
    }
    withAnimation { store.dispatchAndWait(.enter) }
    #expect(animation == .default)
    #expect(Animation.running == nil)
  }

  @Test func `a model that a view owns is not created in each pass`() {
    var made = 0
    func make() -> StoreFactory<Shop, ShopAction> {
      made += 1
      return StoreFactory(initialState: Shop(), feature: shopFeature)
    }
    func pass(after last: LocalStore<Shop, ShopAction>?) -> LocalStore<Shop, ShopAction> {
      let local = LocalStore(make())
      if let last { keepIdentity(of: last, in: local) }
      return local
    }
    let first = pass(after: nil)
    #expect(made == 0)
    first.wrappedValue.send(.enter)
    let second = pass(after: first)
    #expect(second.wrappedValue === first.wrappedValue)
    #expect(second.wrappedValue.visitors == 1)
    #expect(made == 1)
  }

  @Test func `observers of a parent do not run when only a nested observer read the changed part`() {
    let store = factory.observable()
    var (outer, inner): ([String], [Int]) = ([], [])
    var nested: StoreSubscription?
    let subscription = observe {
      store.name
    } apply: { name in
      outer.append(name)
      nested = observe {
        store.visitors
      } apply: {
        inner.append($0)
      }
    }
    store.send(.enter)
    #expect(outer == ["Corner"])
    #expect(inner == [0, 1])
    subscription.cancel()
    nested?.cancel()
  }
}
