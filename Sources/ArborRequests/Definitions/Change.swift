public import Arbor

/// The definition of a change on a server, with its effect on cached values.
///
/// ```swift
/// let favorite = Change<Favorite, Album>(
///   "favorite",
///   inOrder: { .album($0.id) },
///   invalidates: { [.album($0.id)] },
///   optimistic: { input in [album.patch(input.id) { $0.isFavorite = input.isOn }] }
/// ) { input, key in
///   try await client.setFavorite(input.id, input.isOn, idempotencyKey: key)
/// }
/// ```
///
/// - Pending changes are a list in the state. The optimistic parts of all of them are applied, in order, to each answer
///   that arrives, until the change is confirmed, fails or is canceled. So an older answer can't hide a change, and a
///   failure takes back only its own change.
/// - A confirmed change becomes part of the cached answers. They are then stale, and observed ones are fetched again
///   after the last pending change of the same tags.
/// - A change that fails without a caller stays in ``Requests/changes``, so that you can show it, and retry or remove it.
/// - A change that is made offline waits in the list, also over a restart if the state is stored. It is sent with the
///   same key for idempotency each time.
/// - Cost: the optimistic parts of all pending changes are evaluated for each answer, and when a change is made or ends.
public struct Change<Input: Codable & Equatable & Sendable, Output: Equatable & Sendable>: RequestDefinition {
  /// The name in the cache.
  public let name: String

  /// The change without its types.
  public let definition: AnyRequestDefinition

  /// Defines a change.
  ///
  /// - Parameters:
  ///   - name: The name. Each change has its own.
  ///   - retries: The number of times that the change is sent again after an error.
  ///   - backoff: The delays before the repetitions.
  ///   - order: The tag of the record that it changes: changes with equal tags are sent one after the other. With nil,
  ///     it doesn't wait for any other change.
  ///   - invalidates: The tags of the answers that are stale after the change.
  ///   - optimistic: The changes of cached answers that observers see at once.
  ///   - send: Sends the change. Its second argument is the key for idempotency, which stays the same when the change
  ///     is sent again.
  public init(
    _ name: String,
    retries: Int = 0,
    backoff: EffectBackoff = .exponential(initial: .seconds(1)).capped(at: .seconds(30)),
    inOrder order: @escaping @Sendable (_ input: Input) -> RequestTag? = { _ in nil },
    invalidates: @escaping @Sendable (_ input: Input) -> [RequestTag] = { _ in [] },
    optimistic: @escaping @Sendable (_ input: Input) -> [RequestPatch] = { _ in [] },
    send: @escaping @Sendable (_ input: Input, _ key: String) async throws -> Output
  ) {
    self.name = name
    definition = AnyRequestDefinition(
      .change(
        ChangeFunctions(
          typed: { RequestValue(try $0.value(as: Input.self)) },
          maxAttempts: RequestPolicy.attempts(retries: retries),
          backoff: backoff,
          order: { value in (try? value.value(as: Input.self)).flatMap(order) },
          invalidates: { value in (try? value.value(as: Input.self)).map(invalidates) ?? [] },
          patches: { value in (try? value.value(as: Input.self)).map(optimistic) ?? [] },
          output: { value in
            guard let output = value as? Output else {
              throw RequestFailure(.undecodable, "the answer is a \(type(of: value)), not a \(Output.self)")
            }
            return RequestValue(output)
          },
          send: { value, key in RequestValue(try await send(try value.value(as: Input.self), key)) }
        )
      )
    )
  }
}

extension Change {
  /// Returns an action that makes the change, for a reducer, an effect or ``/ArborCore/StoreProtocol/dispatch(_:)``.
  ///
  /// - Parameter input: The input.
  public func action(_ input: Input) -> RequestAction {
    .changed(pending(input, isAwaited: false))
  }

  /// Returns the input of a change in the cache; nil if it is another change.
  ///
  /// - Parameter change: A change in ``Requests/changes``.
  public func input(of change: PendingChange) -> Input? {
    change.name == name ? try? change.input.value(as: Input.self) : nil
  }

  /// Returns the identity of a call of the server, for tests.
  ///
  /// - Parameter input: The input.
  public func id(_ input: Input) -> RequestID { pending(input, isAwaited: false).call }

  func pending(_ input: Input, isAwaited: Bool) -> PendingChange {
    var random = SystemRandomNumberGenerator()
    let digits = [random.next(), random.next()].map { String($0, radix: 16) }
    let id = digits.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    return PendingChange(id: id, name: name, input: RequestValue(input), isAwaited: isAwaited)
  }
}

/// The functions of a change, without its types.
struct ChangeFunctions: Sendable {
  /// Returns an input that is decoded.
  let typed: @Sendable (RequestValue) throws -> RequestValue
  let maxAttempts: Int
  let backoff: EffectBackoff
  let order: @Sendable (RequestValue) -> RequestTag?
  let invalidates: @Sendable (RequestValue) -> [RequestTag]
  let patches: @Sendable (RequestValue) -> [RequestPatch]

  /// Returns an output that a test gives.
  let output: @Sendable (any Sendable) throws -> RequestValue
  let send: @Sendable (RequestValue, _ key: String) async throws -> RequestValue
}
