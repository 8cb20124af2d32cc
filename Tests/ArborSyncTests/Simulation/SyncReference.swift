import Arbor
import ArborSync
import Foundation

/// The actions that were in a log, in order, and the states that reducers make from them.
struct SyncReference {
  /// The state after the action at a position.
  struct Moment {
    let state: Counted

    /// The names of the clients whose actions began the upload and the ongoing job; nil if these aren't in progress.
    let uploader: String?
    let opener: String?
  }

  private(set) var moments = [Moment(state: Counted(), uploader: nil, opener: nil)]

  /// The positions of actions, by their ids.
  private(set) var positions: [Int: Int] = [:]

  /// The senders of actions, by their ids.
  private(set) var senders: [Int: String] = [:]

  /// The ids of actions that were waiting in an outbox when it was copied.
  var mayComeTwice: Set<Int> = []

  private var numbers: [LogClient: Set<Int>] = [:]

  var end: Int { moments.count - 1 }

  /// Adds an action of the log. Returns a complaint if something is wrong with it; otherwise nil.
  mutating func add(_ logged: LoggedAction) -> String? {
    guard logged.position == end + 1 else { return "position \(logged.position) follows \(end)" }
    guard let action = try? JSONDecoder().decode(CountedAction.self, from: logged.bytes) else { return "no action" }
    guard numbers[logged.client, default: []].insert(logged.number).inserted else {
      return "Y2: number \(logged.number) of \(logged.client) is in the log twice"
    }
    guard positions[action.id] == nil || mayComeTwice.contains(action.id) else {
      return "Y2: action \(action.id) is in the log twice"
    }
    let sender = logged.client.name
    if positions[action.id] == nil { (positions[action.id], senders[action.id]) = (logged.position, sender) }
    let last = moments[end]
    var state = last.state
    CountedAction.reduce(&state, action)
    let began = (upload: !last.state.upload.isInProgress, open: !last.state.isOpen)
    moments.append(
      Moment(
        state: state,
        uploader: state.upload.isInProgress ? (began.upload ? sender : last.uploader) : nil,
        opener: state.isOpen ? (began.open ? sender : last.opener) : nil
      )
    )
    return nil
  }
}
