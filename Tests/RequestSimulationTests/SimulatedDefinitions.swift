import Arbor
import ArborRequests

/// The keys with which changes were sent, which stay the same after a restart.
final class SimulatedKeys: Sendable {
  private let keys = Protected<(byChange: [Int: String], areStable: Bool)>(([:], true))

  /// `false` if a change was sent with a second key.
  var areStable: Bool { keys.withLock { $0.areStable } }

  func add(_ key: String, of change: Int) {
    keys.withLock { keys in
      if let first = keys.byChange.updateValue(key, forKey: change), first != key { keys.areStable = false }
    }
  }
}

/// The definitions of the simulated requests and changes, which call a server.
struct SimulatedDefinitions {
  let keys: SimulatedKeys
  private let requests: [SimulatedRequest: Request<Int, Int>]
  private let add: Change<SimulatedChange, Int>
  private let set: Change<SimulatedChange, Int>

  init(_ server: SimulatedServer, _ keys: SimulatedKeys) {
    let requests = Dictionary(
      uniqueKeysWithValues: SimulatedRequest.allCases.map { ($0, SimulatedDefinitions.request($0, server)) }
    )
    let backoff = EffectBackoff.constant(.seconds(SimulatedRequest.backoff))
    func change(_ name: String, retries: Int) -> Change<SimulatedChange, Int> {
      Change(
        name,
        retries: retries,
        backoff: backoff,
        inOrder: \.order,
        invalidates: \.invalidates,
        optimistic: { input in input.entries.map { id in requests[id.request]!.patch(id.argument, input.apply) } },
        send: { input, key in
          keys.add(key, of: input.number)
          return try await server.call(.send(input.number), heedsCancellation: false)
        }
      )
    }
    (self.keys, self.requests) = (keys, requests)
    (add, set) = (change("add", retries: 0), change("set", retries: 1))
  }

  private static func request(_ request: SimulatedRequest, _ server: SimulatedServer) -> Request<Int, Int> {
    let policy = request.policy
    let (keptFor, backoff) = (Duration.seconds(policy.keptFor), Duration.seconds(SimulatedRequest.backoff))
    if policy.isStream {
      return Request(
        streaming: request.rawValue,
        keptFor: keptFor,
        retries: policy.retries,
        backoff: .constant(backoff),
        tags: { request.tags($0, $1) },
        stream: { server.stream(.fetch(EntryID(request: request, argument: $0))) }
      )
    }
    return Request(
      request.rawValue,
      freshFor: policy.freshFor.map { .seconds($0) },
      keptFor: keptFor,
      retries: policy.retries,
      backoff: .constant(backoff),
      every: policy.interval.map { .seconds($0) },
      timeout: policy.timeout.map { .seconds($0) },
      tags: { request.tags($0, $1) },
      fetch: { argument in
        let id = EntryID(request: request, argument: argument)
        return try await server.call(.fetch(id), heedsCancellation: request.heedsCancellation)
      }
    )
  }

  var all: [any RequestDefinition] { requests.values.map { $0 } + [add, set] }

  func request(of id: EntryID) -> Request<Int, Int> { requests[id.request]! }

  func requestID(_ id: EntryID) -> RequestID { request(of: id).id(id.argument) }

  func change(of input: SimulatedChange) -> Change<SimulatedChange, Int> { input.isAddition ? add : set }
}
