import Arbor
import ArborPersistence
import ArborSync
import BoardCore
import Dispatch
import Foundation

/// The mode of the board that fills a terminal: its screen, its keys, and the people who are present.
@MainActor
final class ScreenMode {
  private enum Event: Sendable {
    case terminal(TerminalEvents.Event)

    /// A change of the shown or confirmed board, or of the state of the log.
    case changed
    case rebased(Rebase<Board>)
    case heard(Presence)
    case second
  }

  private let shared: SharedBoard
  private let terminal = Terminal()
  private let program = UUID()
  private let start = ContinuousClock.now
  private var scene: Scene

  init(_ shared: SharedBoard, name: String) {
    self.shared = shared
    scene = Scene(name: name)
    let notes = shared.report.notes
    if !notes.isEmpty { scene.tell(notes.joined(separator: "; ")) }
  }

  /// Shows the board until the person leaves. Returns the exit status.
  func run() async -> Int32 {
    let (events, sender) = AsyncStream<Event>.makeStream()
    let subscriptions = observe { sender.yield($0) }
    terminal.enter()
    TerminalEvents.listen { sender.yield(.terminal($0)) }
    let seconds = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(1))
        sender.yield(.second)
      }
    }
    let presence = Task { await Presenter(shared).run { self.presence } }
    show()
    var status: Int32 = 0
    for await event in events {
      if let end = await take(event) {
        status = end
        break
      }
      terminal.draw(Screen(scene, of: terminal.size).frame)
      if !terminal.isOpen { break }
    }
    terminal.leave()
    seconds.cancel()
    presence.cancel()
    withExtendedLifetime(subscriptions) {}
    if scene.standing.connection == .connected { await Presenter(shared).leave(self.presence) }
    return status
  }

  private func observe(_ send: @escaping @Sendable (Event) -> Void) -> [StoreSubscription] {
    // Deliveries are only hints that something has changed. The states are read when they are drawn.
    let delivery = StoreDelivery.latest(on: DispatchQueue(label: "board"), atMostEvery: .milliseconds(30))
    return [
      shared.observe(on: delivery) { (_: Board) in send(.changed) },
      shared.confirmed.observe(on: delivery) { (_: Board) in send(.changed) },
      shared.status.observe(on: delivery) { (_: SyncStatus) in send(.changed) },
      shared.observe(activities: Rebase<Board>.self) { send(.rebased($0)) },
      shared.observe(messages: Presence.self) { presence, _ in send(.heard(presence)) },
    ]
  }

  private func show() {
    scene.show(shared.state, confirmed: shared.confirmed.state)
    scene.standing = Standing(shared.status.state)
  }

  private var presence: Presence {
    var presence = Presence(program: program, name: scene.name)
    presence.card = scene.interface.card(on: scene.board)?.id
    return presence
  }

  // MARK: Events

  /// Handles an event. Returns the exit status if the program should end.
  private func take(_ event: Event) async -> Int32? {
    switch event {
    case .terminal(.keys(let keys)):
      for key in keys {
        guard let request = scene.press(key) else { continue }
        if request == .quit { return 0 }
        await carryOut(request)
      }
    case .terminal(.signal(SIGWINCH)): terminal.forget()
    case .terminal(.signal(SIGCONT)): terminal.enter()
    case .terminal(.signal(let number)): return 128 + number
    case .terminal(.end): return 0
    case .changed: show()
    case .rebased(let rebase):
      show()
      scene.rebase(from: rebase.before, to: rebase.after, changes: rebase.actions)
    case .heard(let presence):
      if presence.program != program { scene.hear(presence) }
    case .second: scene.tick(to: ContinuousClock.now - start)
    }
    return nil
  }

  private func carryOut(_ request: Request) async {
    switch request {
    case .change(let change):
      let action = await shared.make(change)
      show()
      if let action { scene.follow(action) }
    case .redraw: terminal.forget()
    case .suspend:
      terminal.leave()
      kill(0, SIGTSTP)
      // Another thread may receive the signal, so this one must do nothing until the process is stopped.
      usleep(100_000)
      terminal.enter()
    case .quit: break
    }
  }
}
