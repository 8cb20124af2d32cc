/// The frames of a file, and what follows the last whole one.
package struct FrameScan: Hashable, Sendable {
  /// The bytes that follow the last frame that was read.
  package enum Rest: Hashable, Sendable {
    /// None.
    case nothing

    /// Frames that were never acknowledged, in part.
    case tornEnd

    /// A damaged frame that was acknowledged, and the next whole one with its offset.
    case damage(nextNumber: UInt64, at: Int)
  }

  /// The frames that were read, each with the number behind that of the one before; from the first of the file on.
  package private(set) var frames: [Frame] = []

  /// The offset behind the last of them.
  package private(set) var end = FrameFileHeader.length

  package private(set) var rest = Rest.nothing

  /// The frames up to which all was durable, as any whole frame of the file says.
  package private(set) var durableThrough: UInt64 = 0

  /// Reads the frames of a file.
  ///
  /// - Never stops the program, whatever the bytes are.
  package init(of bytes: [UInt8], _ header: FrameFileHeader) {
    var next = header.first
    FrameScan.visitAll(of: bytes, header) { frame, offset in
      durableThrough = max(durableThrough, frame.durableThrough)
      if frame.number == next, offset == end {
        next += 1
        end += Frame.headerLength + frame.payload.count
        frames.append(frame)
      } else if frame.durableThrough >= next {
        if case .damage = rest { return }
        rest = .damage(nextNumber: frame.number, at: offset)
      }
    }
    if rest == .nothing, end < bytes.count { rest = .tornEnd }
  }

  /// Calls a body with each whole frame of a file, also with those that follow a damaged one.
  ///
  /// - Cost: O(n). Behind a damaged frame each offset is tried; but a checksum is made only of what has a number that the
  ///   file may have, and not of more bytes than the file has four times.
  package static func visitAll(
    of file: [UInt8],
    _ header: FrameFileHeader,
    _ body: (_ frame: Frame, _ offset: Int) -> Void
  ) {
    file.withUnsafeBytes { bytes in visitAll(of: file, bytes, header, body) }
  }

  private static func visitAll(
    of file: [UInt8],
    _ bytes: UnsafeRawBufferPointer,
    _ header: FrameFileHeader,
    _ body: (_ frame: Frame, _ offset: Int) -> Void
  ) {
    var offset = FrameFileHeader.length
    var next = header.first
    var attempts = 4 * Int64(bytes.count)
    while bytes.count - offset >= Frame.headerLength, attempts >= 0 {
      let number = Frame.number(at: offset, of: bytes)
      if number >= next, number - next <= UInt64(bytes.count) {
        if let frame = Frame(at: offset, of: file, bytes, salt: header.salt) {
          body(frame, offset)
          offset += Frame.headerLength + frame.payload.count
          next = number &+ 1
          continue
        }
        attempts -= Int64(min(Frame.payloadLength(at: offset, of: bytes), bytes.count))
      }
      offset += 1
    }
  }
}
