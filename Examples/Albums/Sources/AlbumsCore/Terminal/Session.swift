import AlbumServer
import Arbor
import ArborEntities
import ArborRequests
import Foundation

/// Turns commands into actions, one after the other. Lines about the screens are printed as they change.
struct Session {
  private let requests: AlbumRequests
  private let store: Store<AppState, AppAction>
  private let server: AlbumServer
  private let screens: Screens
  private let printer: Printer

  private let detail: Derived<DetailScreen?>?

  /// The list; nil until a command needs it.
  private var list: Derived<ListScreen>?

  /// The lines that follow the screens.
  private var subscriptions: [String: StoreSubscription] = [:]

  init(
    _ requests: AlbumRequests,
    store: Store<AppState, AppAction>,
    server: AlbumServer,
    printer: Printer = Printer()
  ) {
    (self.requests, self.store, self.server, self.printer) = (requests, store, server, printer)
    screens = Screens(requests: requests, store: store)
    // Made first, so a failure is printed before its effect on the details.
    let failures = store.derived(\.failedChanges)
    detail = screens.detail()
    subscriptions["failures"] = failures?.observe { [printer, requests] changes in
      guard let change = changes.last, let failure = change.failure, let input = requests.setFavorite.input(of: change)
      else { return }
      printer.print(["album \(input.id) is not changed, because \(failure.reason); retry or dismiss"])
    }
    subscriptions["details"] = detail?.observe { [printer] screen in
      if let screen { printer.print("details: \(screen.status)", about: "details") }
    }
  }

  /// Reads and performs commands until `quit` or the end of the input.
  mutating func run(readLine: () -> String? = { Terminal.readLine(prompt: "> ") }) async {
    // The changes of the last run are sent.
    await store.settled()
    while let line = readLine() {
      do {
        guard let command = try Command(line) else { continue }
        if command.form == .quit { break }
        try await perform(command)
      } catch {
        printer.print(["error: \(error)"])
      }
    }
  }

  private mutating func perform(_ command: Command) async throws {
    switch command.form {
    case .list: showList()
    case .more:
      showList()
      if command.isAwaited { await store.settled() }
      await send(.fetchPage(requests.list.id(NoValue()), .next))
    case .open(let id): await store.dispatchAndWait(.open(id))
    case .close: await store.dispatchAndWait(.open(nil))
    case .favorite(let id, let isFavorite):
      try showRow(id)
      await send(requests.setFavorite.action(.init(id: id, isFavorite: isFavorite)))
    case .refresh:
      let open = store.state?.openAlbum
      await send(.refetch(open.map(requests.album.id) ?? requests.list.id(NoValue())))
    case .retry: for change in failedChanges { await send(.retryChange(change.id)) }
    case .dismiss: for change in failedChanges { await send(.cancelChange(change.id)) }
    case .offline: await send(.becameOffline)
    case .online: await send(.becameOnline)
    case .server(let behavior): server.behavior = behavior
    case .log: printer.print(server.takeLog().map { "server: \($0)" })
    case .help: printer.print(Command.overview.components(separatedBy: "\n"))
    case .wait, .quit: break
    }
    if command.isAwaited {
      await store.settled()
    } else {
      // A server that holds its answers has at least received the requests.
      await server.holds(store.state?.requests.callCount ?? 0)
    }
    switch command.form {
    case .list: printList()
    case .open: printDetails()
    default: break
    }
  }

  private var failedChanges: [PendingChange] { store.state?.failedChanges ?? [] }

  private func send(_ action: RequestAction) async {
    await store.dispatchAndWait(.requests(action))
  }
}

// MARK: - The screens

extension Session {
  /// Begins to show the list, which is then kept up to date.
  private mutating func showList() {
    guard list == nil else { return }
    // Followed before it is requested, so that each status is printed.
    subscriptions["list"] = screens.list(isRequested: false)?
      .observe { [printer] screen in printer.print("list: \(screen.status)", about: "list") }
    list = screens.list()
  }

  /// Begins to print the row of an album whenever it changes.
  private mutating func showRow(_ id: Album.ID) throws {
    guard let row = screens.row(id), row.value != nil else { throw CommandError.notLoaded(id) }
    guard subscriptions["\(id)"] == nil else { return }
    subscriptions["\(id)"] = row.observe(initial: false) { [printer] row in
      if let row { printer.print(row.line, about: "\(id)") }
    }
  }

  private func printList() {
    guard let screen = list?.value, !screen.ids.isEmpty else { return }
    let rows = screen.ids.compactMap { screens.row($0)?.value?.line }
    let end = "\(rows.count) albums\(screen.isStale ? " (stale)" : "")"
    printer.print(rows + [screen.hasMore ? "\(end); more for the next page" : end])
  }

  private func printDetails() {
    guard let album = detail?.value?.album else { return }
    printer.print([album.title, "by \(album.artist)", album.isFavorite ? "a favorite" : "not a favorite"])
  }
}

extension Requests {
  /// The number of calls to the server in progress.
  fileprivate var callCount: Int {
    entries.count { $0.fetch != nil } + changes.count { $0.status == .sending }
  }
}

extension AlbumRow {
  /// The row as a line of text.
  fileprivate var line: String {
    let mark = album.isFavorite ? "♥" : " "
    return "\(mark) \(album.id) \(album.title), \(album.artist)\(isPending ? " (not confirmed)" : "")"
  }
}
