/// The activities of a type that are emitted after the sequence is made, in order.
///
/// ```swift
/// for await message in store.activities(of: Message.self) { show(message) }
/// ```
///
/// - Iterate over it in a single task. It ends when the owner is gone or the task is canceled.
public struct ActivitySequence<Activity: Sendable>: AsyncSequence, Sendable {
  /// An iteration over the activities.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Activity>.Iterator
    let tree: Tree?

    /// Returns the next activity; nil if the owner is gone or the task is canceled.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Activity? {
      tree?.taskWaits()
      return await base.next(isolation: actor)
    }

    /// Returns the next activity, on systems whose sequences don't support isolation; nil if the owner is gone or the
    /// task is canceled.
    @_disfavoredOverload
    public mutating func next() async -> Activity? {
      tree?.taskWaits()
      return await base.next()
    }
  }

  let stream: AsyncStream<Activity>
  let tree: Tree?

  /// Returns an iterator over the activities that weren't taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), tree: tree)
  }
}
