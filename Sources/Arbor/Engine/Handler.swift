/// What to do with entries of one kind, when their turn comes in the mailbox.
///
/// It stands in front of every entry as a bare pointer, so that entries of any type can wait in one queue. Whoever
/// appends an entry sees to it that the handler outlives it.
@usableFromInline
final class Handler: Sendable {
  @inlinable static var largestPayload: Int { 512 }
  @inlinable static var alignment: Int { 8 }

  /// Room that a payload takes, in bytes: a multiple of the alignment, and never none, so that each has an address.
  let stride: Int

  /// Takes the payload out of its place in the queue and acts on it.
  let run: @Sendable (UnsafeMutableRawPointer) -> Void

  /// Tells what the payload is, and leaves it in its place.
  let look: @Sendable (UnsafeRawPointer) -> WaitingEntry

  @inlinable
  convenience init<Payload>(
    _ act: @escaping @Sendable (Payload) -> Void,
    look: @escaping @Sendable (Payload) -> WaitingEntry
  ) {
    self.init(size: MemoryLayout<Payload>.size) { place in
      act(place.assumingMemoryBound(to: Payload.self).move())
    } look: { place in
      look(place.assumingMemoryBound(to: Payload.self).pointee)
    }
  }

  @usableFromInline
  init(
    size: Int,
    run: @escaping @Sendable (UnsafeMutableRawPointer) -> Void,
    look: @escaping @Sendable (UnsafeRawPointer) -> WaitingEntry
  ) {
    stride = (max(size, 1) + Handler.alignment - 1) / Handler.alignment * Handler.alignment
    self.run = run
    self.look = look
  }

  /// Whether a payload can wait in the queue as it is. Others are sent as an array of one, which can.
  @inlinable
  static func canRun<Payload>(_: Payload.Type) -> Bool {
    MemoryLayout<Payload>.size <= largestPayload && MemoryLayout<Payload>.alignment <= alignment
  }
}
