import ArborSync
import Foundation

/// The whole test: the members and their ends, the restarts of the server, and the check at the end.
struct Rehearsal {
  let log: String
  var memberCount = 100
  var seconds = 60

  /// A script that restarts the server.
  var server: String?

  init(log: String) {
    self.log = log
  }

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "crowd.\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let reader = try await LogReader(openLog(log))
    var members = try (0..<memberCount).map { try RunningMember($0, of: log, in: folder) }
    let begin = ContinuousClock.now
    var kills = 0
    for second in 1...max(seconds, 1) {
      while ContinuousClock.now < begin.advanced(by: .seconds(second)) { try await reader.read() }
      let number = Int.random(in: 0..<memberCount)
      members[number].kill()
      members[number] = try RunningMember(number, of: log, in: folder)
      kills += 1
      if let server, second == max(seconds / 3, 1) || second == seconds * 2 / 3 { try restart(by: server) }
    }
    for member in members { try member.tell("stop") }
    for member in members {
      while !member.hasSaid("sent") { try await reader.read() }
    }
    let end = try await reader.readToEnd()
    for member in members { try member.tell("\(end)") }
    var states: [String: Int] = [:]
    for member in members {
      while !member.hasSaid("done") { try await Task.sleep(for: .milliseconds(20)) }
      states[member.lastLine, default: 0] += 1
    }
    guard states.count == 1 else { throw Failure("the members have \(states.count) states: \(states)") }
    let acknowledged = try check(reader, in: folder)
    print(
      """
      \(memberCount) processes for \(seconds) s, \(kills) killed: \(end) actions, of which \(acknowledged) were acknowledged, \
      each once; one state: \(states.keys.first!)
      """)
  }

  /// Runs the script without Foundation's `Process`: on Linux, that would also wait for the end of the server, which
  /// inherits the descriptor for detecting the end.
  private func restart(by script: String) throws {
    let texts = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(script), strdup("restart-immediate"), nil]
    let environment: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process = pid_t()
    var status: Int32 = -1
    guard posix_spawn(&process, script, nil, nil, arguments, environment) == 0,
      waitpid(process, &status, 0) == process, status == 0
    else { throw Failure("the server was not restarted") }
  }

  /// Checks that each acknowledged action is in the log once. Returns the number of these actions.
  private func check(_ reader: LogReader, in folder: URL) throws -> Int {
    var count = 0
    for member in 0..<memberCount {
      let file = folder.appending(path: "\(member)/acknowledged")
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      // The last line may be incomplete.
      for line in lines.dropLast() {
        guard let id = UUID(uuidString: String(line)), reader.ids.contains(id) else {
          throw Failure("action \(line) of member \(member) was acknowledged, but is not in the log")
        }
        count += 1
      }
    }
    return count
  }
}

/// A reader of the whole log. It is connected from the beginning, so that no action is removed before it was read.
final class LogReader {
  private let log: any OrderedLog
  private let client = LogClient("reader")
  private let id: UUID
  private var position = 0

  /// The ids of all actions.
  private(set) var ids: Set<UUID> = []

  init(_ log: any OrderedLog) async throws {
    self.log = log
    let found = try await log.connect(client, reducerVersion: 1)
    guard found.end == 0 else { throw Failure("the log is not empty") }
    id = found.id
  }

  /// Reads new actions. If the log cannot be reached, a later call tries again.
  ///
  /// - Returns: `false` if there were none.
  @discardableResult
  func read() async throws -> Bool {
    do {
      let actions = try await log.actions(behind: position, atMost: 1_000, in: id)
      for action in actions {
        position += 1
        guard action.position == position else {
          throw Failure("the action at position \(position) has position \(action.position)")
        }
        let step = try JSONDecoder().decode(Step.self, from: action.bytes)
        guard ids.insert(step.id).inserted else { throw Failure("action \(step.id) is in the log twice") }
      }
      if actions.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
      try await log.note(position, readBy: client, in: id)
      return !actions.isEmpty
    } catch LogError.unreachable {
      try await Task.sleep(for: .milliseconds(100))
      return true
    }
  }

  func readToEnd() async throws -> Int {
    while try await read() {}
    return position
  }
}

/// A running process, and its output.
final class RunningMember: @unchecked Sendable {
  // Sendable because a lock guards the output.
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lock = NSLock()
  private var text = ""

  init(_ number: Int, of log: String, in folder: URL) throws {
    let own = folder.appending(path: "\(number)")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["member", log, "member \(number)", own.path]
    process.standardInput = input
    process.standardOutput = output
    output.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      guard !data.isEmpty else {
        handle.readabilityHandler = nil
        return
      }
      self?.lock.withLock { self?.text += String(decoding: data, as: UTF8.self) }
    }
    try process.run()
  }

  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Returns `true` if a line begins with a word. Stops the test if the process has ended without such a line.
  func hasSaid(_ word: String) -> Bool {
    let isThere = lock.withLock { text.split(separator: "\n").contains { $0.hasPrefix(word) } }
    if !isThere, !process.isRunning, process.terminationStatus != 0 {
      FileHandle.standardError.write(Data("crowd: a member ended with status \(process.terminationStatus)\n".utf8))
      exit(1)
    }
    return isThere
  }

  var lastLine: String { lock.withLock { text.split(separator: "\n").last.map(String.init) ?? "" } }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
