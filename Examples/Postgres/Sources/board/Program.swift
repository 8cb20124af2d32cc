import ArborPersistence
import ArborSync
import BoardCore
import Foundation

/// The whole program, which opens the board and shows it until the person leaves.
///
/// - It runs on the main actor: reading a line blocks its thread, which must not be one of the few that run tasks.
@MainActor
enum Program {
  /// Runs the program with its arguments, and returns its exit status.
  static func run(arguments: [String]) async -> Int32 {
    // A write to a pipe without a reader then fails instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    let options: Options
    do {
      options = try Options(arguments)
    } catch {
      StandardStreams.complain("board: \(error)")
      StandardStreams.error("\(Options.usage)\n")
      return 2
    }
    if options.wantsHelp {
      StandardStreams.output("\(Options.usage)\n\(Command.overview)\n")
      return 0
    }
    let name = options.name ?? NSUserName()
    guard !name.isEmpty else {
      StandardStreams.complain("board: your account has no name; pass one with --name")
      return 2
    }
    do {
      return try await run(options, as: name)
    } catch {
      StandardStreams.complain("board: \(error)")
      return 1
    }
  }

  private static func run(_ options: Options, as name: String) async throws -> Int32 {
    let folders =
      options.folder.map { Folders(root: URL(filePath: $0, directoryHint: .isDirectory)) }
      ?? Folders(
        environment: ProcessInfo.processInfo.environment,
        home: FileManager.default.homeDirectoryForCurrentUser
      )
    let outbox = try outbox(of: name, at: folders.outbox(of: name, for: options.log))
    let shared = try await SharedStore(
      initialState: Board(),
      feature: boardFeature(author: name),
      log: log(for: options, in: folders),
      client: name,
      outbox: outbox
    )
    let status: Int32
    if Terminal.isThere {
      status = await ScreenMode(shared, name: name).run()
    } else {
      for note in shared.report.notes { StandardStreams.complain("board: \(note)") }
      await LineMode.run(shared)
      status = 0
    }
    let isWell = await leave(shared, outbox)
    return status == 0 && !isWell ? 1 : status
  }

  /// Opens the outbox, which only one program may use at a time.
  private static func outbox(of name: String, at folder: URL) throws -> Storage {
    do {
      return try Storage(at: folder)
    } catch .file(let error) {
      guard case .inUse(let owner) = error.reason else { throw StorageError.file(error) }
      throw NameInUse(name: name, owner: owner)
    }
  }

  /// Waits for the last changes to be sent, stores the others, and reports them. Returns `false` if there is a problem.
  private static func leave(_ shared: SharedBoard, _ outbox: Storage) async -> Bool {
    do {
      try await shared.finish(within: .seconds(2))
      try await outbox.close()
    } catch {
      StandardStreams.complain("board: \(error)")
      return false
    }
    let standing = Standing(shared.status.state)
    let changes = standing.waiting == 1 ? "1 change" : "\(standing.waiting) changes"
    if let reason = standing.stopReason {
      StandardStreams.complain("board: sync has stopped: \(reason). Kept on this machine, but not sent: \(changes)")
      return false
    }
    if standing.waiting > 0 {
      StandardStreams.complain("board: not sent yet: \(changes). To send the rest, start the board again.")
    }
    return true
  }
}

/// The error for a name that another running board uses.
private struct NameInUse: Error, CustomStringConvertible {
  let name: String
  let owner: String

  var description: String {
    "\(name) already has a board open: \(owner). Close it, or pass another name with --name."
  }
}
