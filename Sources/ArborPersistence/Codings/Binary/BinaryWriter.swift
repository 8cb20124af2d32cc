internal import Arbor
internal import Foundation

/// The state that all values and containers of one encoding share.
final class BinaryWriter {
  let shapes = ShapeTree()

  /// The greatest depth of a value.
  @exclusivity(unchecked) private(set) var depthLimit = BinaryFormat.depthLimit

  /// The first error, which may have occurred in a function that can't throw. It always ends the encoding.
  @exclusivity(unchecked) private(set) var failure: (any Error)?

  fileprivate func begin(depthLimit: Int) {
    self.depthLimit = depthLimit
    failure = nil
  }

  /// Stores an error if it is the first one, and returns the first one.
  @discardableResult
  func fail(_ error: any Error) -> any Error {
    if failure == nil { failure = error }
    return failure!
  }
}

extension BinaryNode {
  /// Unused nodes, with the keys of the types that they have encoded.
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
      // The value may have caught the failure and thrown an error of its own.
      throw root.writer.failure ?? error
    }
    let data = root.finish()
    root.reset()
    pool.withLock { [root] in if $0.count < poolLimit { $0.append(root) } }
    return data
  }

  /// Returns the complete bytes: the version, the table, and the value.
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
