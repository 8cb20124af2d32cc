import Arbor
import ArborEntities

/// Turns commands into actions, one after the other. Each is answered before the next is read, except for an import.
///
/// - So the state that a command reads, such as the next ID, is still current when its action is reduced.
struct Session {
  private let root: Store<AppState, AppAction>
  private let list: Store<ListState, ListAction>
  private let filter: Store<Filter, FilterAction>
  private let statistics: Store<EntityTable<Todo>, StatisticsAction>
  private let importing: Store<ImportState, ImportAction>
  private let factory: StoreFactory<AppState, AppAction>

  /// The editor during an edit.
  private var editor: StoreObject<Draft, EditorAction>?

  init(factory: StoreFactory<AppState, AppAction>) {
    self.factory = factory
    root = factory.rootStore()
    list = root.scope(to: \.list, action: AppAction.list)
    filter = root.scope(to: \.filter, action: AppAction.filter)
    statistics = root.scope(to: \.list.todos, action: AppAction.statistics)
    importing = root.scope(to: \.importing, action: AppAction.importing)
  }

  /// Reads and performs commands until `quit` or the end of the input.
  mutating func run() async {
    while let line = Terminal.readLine(prompt: prompt) {
      do {
        guard let command = try Command(line) else { continue }
        if command == .quit { break }
        // Until an import has ended, it can only be canceled.
        if command != .cancelImport { await importEnds() }
        try await perform(command)
      } catch {
        root.emit(Message.error("\(error)"))
      }
      // Reading the state waits until all messages are on the screen, so that the next prompt follows them.
      _ = factory.state
    }
    await importEnds()
    _ = factory.state
  }

  private func importEnds() async {
    _ = await importing.state { $0 == .idle }
  }

  private var prompt: String {
    guard let draft = editor?.state else { return "> " }
    return "edit \(draft.id)> "
  }

  private mutating func perform(_ command: Command) async throws {
    switch command {
    case .add(let text): try await change(.add(id: nextID, text: text))
    case .done(let id): try await change(.done(id: id))
    case .undone(let id): try await change(.undone(id: id))
    case .remove(let id): try await change(.remove(id: id))
    case .undo: try await undo()
    case .redo: try await redo()
    case .list(let shown): await filter.dispatchAndWait(.show(shown))
    case .stats: await statistics.dispatchAndWait(.show)
    case .edit(let id): try edit(id)
    case .text(let text): try await draft().dispatchAndWait(.text(text))
    case .save: try await save()
    case .cancel: try cancel()
    case .import(let path): await importing.dispatchAndWait(.start(path: path, firstID: nextID))
    case .cancelImport: try await cancelImport()
    case .help: root.emit(Message.help)
    case .quit: break
    }
  }
}

// MARK: - The list

extension Session {
  private var nextID: Int {
    factory.state.list.nextID
  }

  private func change(_ action: ListAction) async throws(ListError) {
    try factory.state.list.check(action)
    await list.dispatchAndWait(action)
  }

  private func undo() async throws(ListError) {
    guard let id = factory.state.list.lastChangedID else { throw .nothingToUndo }
    try await change(.undo(id: id))
  }

  private func redo() async throws(ListError) {
    guard let id = factory.state.list.lastUndoneID else { throw .nothingToRedo }
    try await change(.redo(id: id))
  }

  private func cancelImport() async throws(ImportError) {
    guard importing.state != .idle else { throw .notImporting }
    await importing.dispatchAndWait(.cancel)
  }
}

// MARK: - The editor

extension Session {
  private func draft() throws(EditorError) -> StoreObject<Draft, EditorAction> {
    guard let editor else { throw .notEditing }
    return editor
  }

  private mutating func edit(_ id: Int) throws {
    if let draft = editor?.state { throw EditorError.alreadyEditing(id: draft.id) }
    guard let todo = factory.state.list.todos[id] else { throw ListError.noItem(id: id) }
    editor = root.scope(to: \.list, action: AppAction.editor)
      .childStore(
        initialState: Draft(id: id, text: todo.text),
        stateMapping: { _, draft in draft },
        feature: editorFeature
      )
  }

  private mutating func save() async throws {
    if let draft = try draft().state { try await change(.edit(id: draft.id, text: draft.text)) }
    editor = nil
  }

  private mutating func cancel() throws(EditorError) {
    _ = try draft()
    editor = nil
  }
}
