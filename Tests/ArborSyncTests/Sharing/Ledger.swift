import Arbor
import ArborPersistence
import ArborSync
import TestSupport

/// A shared state whose actions don't commute, because each result depends on the state before.
struct Ledger: Codable, Equatable, Sendable {
  var entries: [String] = []

  /// The number of entries before each was added.
  var lengths: [String: Int] = [:]
  var total = 0
  var upload = JobState()
  var isOpen = false
}

enum LedgerAction: Codable, Equatable, Sendable {
  case add(String)
  case double
  case remove(String)
  case upload
  case uploaded
  case open(Bool)
}

func ledgerFeature(
  effects: (@Sendable (Ledger, LedgerAction) -> Effect<LedgerAction>)? = nil,
  stateEffects: [StateEffect<Ledger, LedgerAction>] = [],
  interceptors: [Interceptor<Ledger, LedgerAction>] = []
) -> Feature<Ledger, LedgerAction> {
  Feature(interceptors: interceptors, effects: effects, stateEffects: stateEffects) { state, action in
    switch action {
    case .add(let text):
      state.lengths[text] = state.entries.count
      state.entries.append(text)
      state.total += 1
    case .double: state.total *= 2
    case .remove(let text): state.entries.removeAll { $0 == text }
    case .upload: state.upload.run()
    case .uploaded: state.upload.succeed()
    case .open(let isOpen): state.isOpen = isOpen
    }
  }
}
