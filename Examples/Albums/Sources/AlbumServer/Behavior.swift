internal import Dispatch

/// A way in which the server treats its next requests.
public enum Behavior: Equatable, Sendable {
  /// Each request is answered at once.
  case normal

  /// Each answer takes some time.
  case slow(milliseconds: Int)

  /// The next requests are answered with the status 500, and change nothing.
  case failing(requests: Int)

  /// The next requests are carried out, but their connections end without an answer.
  case dropping(requests: Int)

  /// The answer to the next request waits until the one after it is answered.
  case reordering

  /// All answers wait until the behavior is set again.
  case holding
}

/// The behavior, and the answers that wait because of it.
struct BehaviorState {
  var behavior = Behavior.normal

  /// A gate for each answer that waits.
  private(set) var gates: [DispatchSemaphore] = []

  var isHolding: Bool { [.reordering, .holding].contains(behavior) }

  /// The treatment of one request.
  enum Treatment {
    case answer(afterMilliseconds: Int)
    case fail
    case drop

    /// The answer waits for the gate.
    case hold(DispatchSemaphore)

    /// The gate of an earlier answer is opened after this answer.
    case open(DispatchSemaphore)

    var isFailure: Bool { if case .fail = self { true } else { false } }
    var isDrop: Bool { if case .drop = self { true } else { false } }
  }

  mutating func treatment() -> Treatment {
    switch behavior {
    case .slow(let milliseconds): return .answer(afterMilliseconds: milliseconds)
    case .failing(let count) where count > 0:
      behavior = .failing(requests: count - 1)
      return .fail
    case .dropping(let count) where count > 0:
      behavior = .dropping(requests: count - 1)
      return .drop
    case .normal, .failing, .dropping: return .answer(afterMilliseconds: 0)
    case .reordering where !gates.isEmpty:
      behavior = .normal
      return .open(gates.removeFirst())
    case .reordering, .holding:
      gates.append(DispatchSemaphore(value: 0))
      return .hold(gates[gates.endIndex - 1])
    }
  }

  mutating func takeGates() -> [DispatchSemaphore] {
    defer { gates = [] }
    return gates
  }
}
