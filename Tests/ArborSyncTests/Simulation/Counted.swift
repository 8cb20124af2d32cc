import Arbor
import ArborSync

/// The state of a simulated program. Whatever actions are reduced, and in whatever order, it differs for each.
struct Counted: Codable, Equatable, Sendable {
  /// The number of actions in it.
  var count = 0

  /// A digest of the actions in their order.
  var digest: UInt64 = 0

  /// The marked clients, and those who have marked them.
  var marks: [String: Set<String>] = [:]
  var upload = EffectState()
  var isOpen = false
}

/// An action of a simulated program. Each has another id.
struct CountedAction: Codable, Equatable, Sendable {
  enum Kind: Codable, Equatable, Sendable {
    case add
    case mark(String, by: String)
    case upload
    case uploaded
    case open(Bool)
  }

  let id: Int
  let kind: Kind

  /// The number that the sender's clock and chance have brought along.
  var stamp: UInt64?

  static func reduce(_ state: inout Counted, _ action: CountedAction) {
    state.count += 1
    let number = UInt64(action.id) &+ (action.stamp ?? 0)
    state.digest = (state.digest &* 31 &+ number) ^ (state.digest >> 7)
    switch action.kind {
    case .add: break
    case .mark(let client, let sender): state.marks[client, default: []].insert(sender)
    // A job that runs goes on.
    case .upload: if !state.upload.isInProgress { state.upload.run() }
    case .uploaded: if state.upload.isInProgress { state.upload.succeed() }
    case .open(let isOpen): state.isOpen = isOpen
    }
  }
}
