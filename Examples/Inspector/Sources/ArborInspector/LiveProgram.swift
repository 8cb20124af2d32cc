internal import ArborDevTools
internal import Dispatch
internal import Synchronization

/// A live recording without its types, for a server.
///
/// - Slow work runs on a separate queue, so that no thread of the program's tasks waits for it.
struct LiveProgram: Sendable {
  /// The page, whose answers are at a path relative to it.
  let page: @Sendable (_ path: String) -> [UInt8]

  /// Makes the function that returns the new messages for one browser.
  let makeBrowser: @Sendable () -> @Sendable () -> [[UInt8]]
  private let perform: @Sendable (_ command: [UInt8]) throws(LiveCommandError) -> Void

  private let commands = DispatchQueue(label: "Arbor.inspector.commands", qos: .userInitiated)

  init<State, Action>(_ live: LiveRecording<State, Action>) {
    page = { path in live.page(path: path) }
    perform = { command throws(LiveCommandError) in try live.perform(command) }
    makeBrowser = {
      let browser = Browser(live)
      return { browser.messages() }
    }
  }

  /// Performs a command, after the commands before it. Returns the reason if it was refused.
  func refusal(of command: [UInt8]) async -> LiveCommandError? {
    await withCheckedContinuation { continuation in
      commands.async {
        do throws(LiveCommandError) {
          try perform(command)
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
    }
  }

  /// A live recording, as far as one browser has received it.
  private final class Browser<State: Sendable, Action: Sendable>: Sendable {
    private let live: LiveRecording<State, Action>
    private let cursor = Mutex(LiveCursor())

    init(_ live: LiveRecording<State, Action>) {
      self.live = live
    }

    func messages() -> [[UInt8]] { cursor.withLock { live.messages(after: &$0) } }
  }
}
