/// Who has made a mutation, in as few bytes as can be: it waits in the mailbox with each of them.
@usableFromInline
struct MutationOrigin: Sendable {
  // Sendable because the bytes are those of literals, which are there for ever.
  @usableFromInline nonisolated(unsafe) let nameStart: UnsafePointer<UInt8>
  @usableFromInline nonisolated(unsafe) let fileStart: UnsafePointer<UInt8>
  @usableFromInline let nameCount: UInt16
  @usableFromInline let fileCount: UInt16
  @usableFromInline let line: UInt32

  @inlinable
  init(_ name: StaticString, _ fileID: StaticString, _ line: UInt) {
    // One that was made of a single character by hand has no address.
    let name = name.hasPointerRepresentation ? name : "mutation"
    let fileID = fileID.hasPointerRepresentation ? fileID : "unknown"
    nameStart = name.utf8Start
    fileStart = fileID.utf8Start
    nameCount = UInt16(clamping: name.utf8CodeUnitCount)
    fileCount = UInt16(clamping: fileID.utf8CodeUnitCount)
    self.line = UInt32(clamping: line)
  }

  var name: String { text(from: nameStart, nameCount) }
  var fileID: String { text(from: fileStart, fileCount) }

  private func text(from start: UnsafePointer<UInt8>, _ count: UInt16) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
