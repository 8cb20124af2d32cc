import Arbor
import ArborEntities
import ArborUI
import SwiftUI
import UIKit

// The code of the README's pages for screens. A test of the library's package compares the two texts.

private struct AppState: Equatable, Sendable {
  var name = ""
  var todos = EntityTable<Todo>()
  var editor: Draft?
}

private struct Todo: Identifiable, Equatable, Sendable {
  let id: Int
  var text: String
  var isDone = false
}

private struct Draft: Identifiable, Equatable, Sendable {
  let id: Int
  var text: String
}

private enum AppAction: Equatable, Sendable {
  case rename(String)
  case todo(Int, TodoAction)
  case remove([Int])
  case editor(DraftAction)
  case closeEditor(id: Int)
}

private enum TodoAction: Equatable, Sendable {
  case toggle
}

private enum DraftAction: Equatable, Sendable {
  case edit(String)
}

private struct TodoList: View {
  let store: ObservableStore<AppState, AppAction>

  var body: some View {
    let rows = store.rows(of: \.todos, action: AppAction.todo)
    List {
      TextField("Name", text: store.binding(\.name, send: AppAction.rename))
      ForEach(rows.ids, id: \.self) { id in
        if let row = rows[id] { TodoRow(row: row) }
      }
      .onDelete { offsets in store.send(.remove(rows.ids(at: offsets))) }
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
    TextField("To do", text: store.binding(\.text, send: DraftAction.edit))
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
    subscription = store?.observe(with: self, removeDuplicates: .by(\.name), on: .main) { controller, state in
      controller.label.text = state.name
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
