public import Arbor
public import Foundation

/// The time, a random number and an id, which an action carries so that all reducers get the same result.
public struct Stamp: Hashable, Sendable {
  /// The time at the sender.
  public var date: Date

  /// An id that no other stamp has.
  public var id: UUID

  /// A random number: the seed for all other random values.
  public var seed: UInt64

  /// Makes a stamp.
  ///
  /// - Parameters:
  ///   - date: The time at the sender; by default the time of the call.
  ///   - id: An id that no other stamp has; by default a new one.
  ///   - seed: A random number; by default a new one.
  public init(date: Date = Date(), id: UUID = UUID(), seed: UInt64 = .random(in: .min ... .max)) {
    self.date = date
    self.id = id
    self.seed = seed
  }
}

extension Interceptor {
  /// Writes a stamp into actions at their sender, before they are reduced.
  ///
  /// ```swift
  /// .stamping { action, stamp in
  ///   if case .add(let text, nil) = action { .add(text, stamp().id) } else { nil }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - makeStamp: Makes the stamp of an action.
  ///   - write: Returns the action with the stamp that its second argument makes; nil if the action needs none. Called on the
  ///     tree's queue.
  public static func stamping(
    by makeStamp: @escaping @Sendable () -> Stamp = { Stamp() },
    _ write: @escaping @Sendable (_ action: Action, _ stamp: () -> Stamp) -> Action?
  ) -> Interceptor {
    Interceptor { action, _ in
      if let stamped = write(action, makeStamp) { .replace(with: stamped) } else { .pass }
    }
  }
}
