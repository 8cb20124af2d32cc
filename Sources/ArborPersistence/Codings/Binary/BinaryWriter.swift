internal import Arbor
internal import Foundation

/// The state that all values and containers of one encoding share.
final class BinaryWriter {
  let shapes = ShapeTree()

  /// The number of levels that a value may be deep.
  @exclusivity(unchecked) private(set) var depthLimit = BinaryFormat.depthLimit

  /// The first error, which may have occurred where nothing can be thrown. It ends the encoding in any case.
  @exclusivity(unchecked) private(set) var failure: (any Error)?

  fileprivate func begin(depthLimit: Int) {
    self.depthLimit = depthLimit
    failure = nil
  }

  /// Remembers an error, unless there was one. Returns the first one.
  @discardableResult
  func fail(_ error: any Error) -> any Error {
    if failure == nil { failure = error }
    return failure!
  }
}

extension BinaryNode {
  /// Nodes that are not in use, with the keys of the types that they have encoded.
  private static let pool = Protected<[BinaryNode]>([])
  private static let poolLimit = 4

  /// Returns the bytes of a value.
  static func encode(_ value: some Encodable) throws -> Data {
    do {
      return try encode(value, depthLimit: BinaryFormat.depthLimitOfAnyStack)
    } catch is TooDeep {
      return try LargeStack.run {
        do {
          return try encode(value, depthLimit: BinaryFormat.depthLimit)
        } catch let error as TooDeep {
          let text = "The value is more than \(BinaryFormat.depthLimit) levels deep."
          throw EncodingError.invalidValue(value, .init(codingPath: error.path, debugDescription: text))
        }
      }
    }
  }

  private static func encode(_ value: some Encodable, depthLimit: Int) throws -> Data {
    var root = pool.withLock { $0.popLast() } ?? BinaryNode(BinaryWriter())
    if !root.writer.shapes.begin() { root = BinaryNode(BinaryWriter()) }
    root.writer.begin(depthLimit: depthLimit)
    do {
      try root.encode(value, .itself)
    } catch {
      // The value may have caught the failure, and thrown an error of its own.
      throw root.writer.failure ?? error
    }
    let data = root.finish()
    root.reset()
    pool.withLock { [root] in if $0.count < poolLimit { $0.append(root) } }
    return data
  }

  /// The whole bytes: those of the value, behind the version and the table.
  private func finish() -> Data {
    var (table, whole) = (BinaryBuffer(), BinaryBuffer(capacity: bytes.count + 64))
    defer {
      table.free()
      whole.free()
    }
    endShapes()
    writer.shapes.write(to: &table)
    whole.append(BinaryFormat.version)
    whole.append(count: table.count)
    whole.append(table[0..<table.count])
    write(to: &whole)
    return Data(bytes: whole.start, count: whole.count)
  }
}
