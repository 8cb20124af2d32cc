import Arbor
import ArborPersistence
import ArborSync
import Foundation

/// One process of the crowd. It works until its input ends, and then waits until the log contains all actions of all members.
struct Member {
  private let name: String
  private let log: String
  private let folder: URL

  init(_ arguments: [String]) throws {
    guard arguments.count == 3 else { throw Failure("a member needs a log, a name and a folder") }
    (log, name) = (arguments[0], arguments[1])
    folder = URL(filePath: arguments[2])
  }

  func run() async throws {
    let shared = try await SharedStore(
      initialState: Work(), feature: Work.feature, log: openLog(log), client: name,
      outbox: Storage(at: folder.appending(path: "outbox"), durability: .none))
    let acknowledged = try Acknowledged(folder.appending(path: "acknowledged"))
    let lines = InputLines()
    // A line from the parent ends the work.
    while !lines.hasLine {
      let steps = (0..<Int.random(in: 1...3)).map { _ in Step.random() }
      if Int.random(in: 0..<4) == 0 {
        try await shared.dispatchConfirmed(steps[0])
        acknowledged.add([steps[0].id])
      } else {
        for step in steps { shared.dispatch(step) }
        try await shared.flush()
        acknowledged.add(steps.map(\.id))
      }
      try await Task.sleep(for: .milliseconds(.random(in: 50...400)))
    }
    try await wait(for: shared) { $0.waiting == 0 }
    say("sent")
    guard let end = await lines.next(2).flatMap(Int.init) else { throw Failure("\(name): received no end position") }
    try await wait(for: shared) { $0.waiting == 0 && $0.position >= end }
    let state = shared.confirmed.state
    guard state == shared.state else { throw Failure("\(name) shows a state that differs from the confirmed one") }
    say("done \(state.count) \(state.digest) \(state.columns.map(\.count))")
    // Not `exit`: it would free objects of a thread that is about to connect to a database through OpenSSL.
    _exit(0)
  }

  /// Prints a line immediately, although the output isn't a terminal.
  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private func wait(
    for shared: SharedStore<Work, Step>,
    until isReached: (SyncStatus) -> Bool
  ) async throws {
    for await status in shared.status.states() {
      if let stop = status.stop { throw Failure("\(name) has stopped: \(stop)") }
      if isReached(status) { return }
    }
  }
}

/// The ids of acknowledged actions, in a file that outlives the process.
private struct Acknowledged {
  private let file: FileHandle

  init(_ url: URL) throws {
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
    file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
  }

  func add(_ ids: [UUID]) {
    file.write(Data(ids.map { "\($0)\n" }.joined().utf8))
  }
}

/// The lines of standard input, read on a separate thread.
private final class InputLines: @unchecked Sendable {
  // Sendable because a lock guards the lines.
  private let lock = NSLock()
  private var lines: [String] = []

  init() {
    Thread.detachNewThread { [self] in
      while let line = readLine() { lock.withLock { lines.append(line) } }
      // The parent is gone.
      exit(1)
    }
  }

  var hasLine: Bool { lock.withLock { !lines.isEmpty } }

  /// Waits for a line by its number, starting at 1.
  func next(_ number: Int) async -> String? {
    while lock.withLock({ lines.count }) < number { try? await Task.sleep(for: .milliseconds(20)) }
    return lock.withLock { lines[number - 1] }
  }
}
