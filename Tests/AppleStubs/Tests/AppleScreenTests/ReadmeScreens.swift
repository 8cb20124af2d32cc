import Arbor
import ArborEntities
import ArborUI
import SwiftUI
import UIKit

// The code of the README's pages for screens. A test of the library's package compares the two texts.

private struct AppState: Equatable, Sendable {
  var name = ""
  var todos = EntityTable<Todo>()
  var path: [Todo.ID] = []
  var editor: Draft?

  var inOrder: EntityList<Todo> { todos[Todo.order] }
}

private struct Todo: IndexedEntity, Equatable {
  let id: Int
  var text: String
  var isDone = false

  static let order = ManualOrder<Todo>("order")
  static var indexes: [any EntityIndex<Todo>] { [order] }
}

private struct Draft: Identifiable, Equatable, Sendable {
  let id: Int
  var text: String
}

private enum AppAction: Equatable, Sendable {
  case rename(String)
  case todo(Todo.ID, TodoAction)
  case remove([Todo.ID])
  case move([Todo.ID], before: Todo.ID?)
  case show([Todo.ID])
  case edit(Draft)
  case editor(DraftAction)
  case closeEditor(id: Draft.ID)
}

private enum TodoAction: Equatable, Sendable {
  case toggle
}

private enum DraftAction: Equatable, Sendable {
  case write(String)
}

private let app = Feature<AppState, AppAction> { state, action in
  switch action {
  case .rename(let name): state.name = name
  case .todo(let id, .toggle): try? state.todos.update(id) { $0.isDone.toggle() }
  case .remove(let ids): state.todos.remove(ids: ids)
  case .move(let ids, let next): try? state.todos.move(ids, before: next, in: Todo.order)
  case .show(let path): state.path = path
  case .edit(let draft): state.editor = draft
  case .editor(.write(let text)): state.editor?.text = text
  case .closeEditor(let id): if state.editor?.id == id { state.editor = nil }
  }
}

private struct TodoList: View {
  let store: ObservableStore<AppState, AppAction>

  var body: some View {
    let rows = store.rows(of: \.inOrder, action: AppAction.todo)
    List {
      TextField("Name", text: store.binding(\.name, send: AppAction.rename))
      ForEach(rows.ids, id: \.self) { id in
        if let row = rows[id] { TodoRow(row: row) }
      }
      .onDelete { offsets in store.send(.remove(rows.ids(at: offsets))) }
      .onMove { offsets, target in
        store.send(.move(rows.ids(at: offsets), before: rows.id(at: target, moving: offsets)))
      }
    }
    .sheet(item: store.item(\.editor, dismiss: { AppAction.closeEditor(id: $0.id) })) { draft in
      DraftView(store: store.presented(draft, at: \.editor, action: AppAction.editor))
    }
  }
}

private struct TodoRow: View {
  let row: ObservableStore<Todo, TodoAction>

  var body: some View {
    Button {
      row.send(.toggle)
    } label: {
      Text(row.text)
    }
  }
}

private struct DraftView: View {
  let store: ObservableStore<Draft, DraftAction>

  var body: some View {
    TextField("To do", text: store.binding(\.text, send: DraftAction.write))
  }
}

// A program, stores of commits, and systems without Observation.

private struct TodosApp: App {
  @LocalStore(StoreFactory(initialState: AppState(), feature: app)) private var store

  var body: some Scene {
    WindowGroup {
      NavigationStack(path: store.binding(\.path, send: AppAction.show)) {
        TodoList(store: store).navigationDestination(for: Todo.ID.self) { id in
          if let row = store.rows(of: \.todos, action: AppAction.todo)[id] { TodoRow(row: row) }
        }
      }
      .environment(store)
    }
  }
}

private struct NameLabel: View {
  @Environment(ObservableStore<AppState, AppAction>.self) private var store

  var body: some View { Text(store.name) }
}

private struct Profile: Equatable, Sendable {
  var name = ""
  var address = Address()
  var books = EntityTable<Volume>()
}

private struct Address: Equatable, Sendable {
  var city = ""
}

private struct Volume: Identifiable, Equatable, Sendable {
  let id: Int
  var title = ""
}

private struct ProfileView: View {
  @Bindable var store: ObservableStore<Profile, Mutation<Profile>>

  var body: some View {
    TextField("Name", text: $store.name)
    TextField("City", text: $store[\.address.city])
    AddressView(address: store.scope(at: \.address))
    let rows = store.rows(of: \.books)
    ForEach(rows.ids, id: \.self) { id in
      if let row = rows[id] { VolumeRow(volume: row) }
    }
    Button("Clear") { store.commit { profile in profile.books.removeAll() } }
  }
}

private struct AddressView: View {
  @Bindable var address: ObservableStore<Address, Mutation<Address>>

  var body: some View { TextField("City", text: $address.city) }
}

private struct VolumeRow: View {
  @Bindable var volume: ObservableStore<Volume, Mutation<Volume>>

  var body: some View { TextField("Title", text: $volume.title) }
}

private struct OlderNameView: View {
  @ObservedObject var reader: StoreReader<AppState, AppAction>  // of factory.reader() or store.reader()

  var body: some View { TextField("Name", text: reader.binding(\.name, send: AppAction.rename)) }
}

private final class CityViewController: UIViewController {
  private let label = UILabel()
  private var subscription: StoreSubscription?
  var store: ObservableStore<Profile, Mutation<Profile>>?

  override func viewDidLoad() {
    super.viewDidLoad()
    subscription = observe { [store] in
      store?[\.address.city]
    } apply: { [label] city in
      label.text = city
    }
  }
}

// PureduxStore

private struct NameView: View {
  let store: ObservableStore<AppState, AppAction>

  var body: some View { Text(store.name) }
}

private final class NameViewController: UIViewController {
  private let label = UILabel()
  private var subscription: StoreSubscription?
  var store: Store<AppState, AppAction>?

  override func viewDidLoad() {
    super.viewDidLoad()
    subscription = store?.observe(removeDuplicates: .by(\.name), on: .main) { [weak self] state in
      self?.label.text = state.name
    }
  }
}

// Verge

private struct Settings: Equatable, Sendable {
  var name = ""
}

private struct SettingsView: View {
  @LocalStore(StoreFactory(initialState: Settings())) private var store

  var body: some View { TextField("Name", text: $store.name) }
}

private final class SettingsViewController: UIViewController {
  private let label = UILabel()
  private var subscription: StoreSubscription?
  var settings: CommitStore<Settings>?

  override func viewDidLoad() {
    super.viewDidLoad()
    subscription = settings?.observe(on: .main) { [label] changes in
      changes.ifChanged(\.name) { name in label.text = name }
    }
  }
}
