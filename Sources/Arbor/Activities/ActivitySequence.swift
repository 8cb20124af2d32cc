/// The activities of a type, one after the other, that are emitted after the sequence was made.
///
/// - For one task to iterate over. Ends when the owner is gone or the task is cancelled.
public struct ActivitySequence<Activity: Sendable>: AsyncSequence, Sendable {
  /// An iteration over the activities.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Activity>.Iterator
    let tree: Tree?

    /// The next activity; nil once the owner is gone or the task was cancelled.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Activity? {
      tree?.taskWaits()
      return await base.next(isolation: actor)
    }

    /// The next activity, for systems whose sequences know no isolation; nil once the owner is gone or the task was
    /// cancelled.
    @_disfavoredOverload
    public mutating func next() async -> Activity? {
      tree?.taskWaits()
      return await base.next()
    }
  }

  let stream: AsyncStream<Activity>
  let tree: Tree?

  /// Returns an iterator over the activities that were not taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), tree: tree)
  }
}
