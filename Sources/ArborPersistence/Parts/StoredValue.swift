internal import Arbor
internal import struct Foundation.Data

/// A stored value, with the coding that can read it.
struct StoredValue: Sendable {
  let bytes: [UInt8]
  let differences: [[UInt8]]
  let coding: any StorageCoding

  init(bytes: [UInt8], differences: [[UInt8]], coding: any StorageCoding) {
    (self.bytes, self.differences, self.coding) = (bytes, differences, coding)
  }

  /// Makes a value that is read by the coding of a name.
  ///
  /// - Parameter declared: The coding of new values, which also is the coding of stored ones unless it was exchanged.
  /// - Throws: ``StoredValueError/Reason/unknownCoding(_:)``.
  init(
    bytes: [UInt8],
    differences: [[UInt8]],
    coding name: String,
    declared: any StorageCoding
  ) throws(StoredValueError.Reason) {
    guard let coding = [declared, .json, .binary].first(where: { $0.name == name }) else {
      throw .unknownCoding(name)
    }
    self.init(bytes: bytes, differences: differences, coding: coding)
  }

  /// Decodes the value and applies its differences.
  ///
  /// - Parameter initial: The value that provides missing properties; nil if there is none.
  /// - Returns: The value, and the paths of its missing properties.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    over initial: (any Encodable)? = nil
  ) throws -> (value: Value, filled: Set<String>) {
    var filled: Set<String> = []
    func read<Part: Decodable>(_ type: Part.Type, _ bytes: [UInt8], over initial: (any Encodable)?) throws -> Part {
      do {
        return try coding.decode(type, from: Data(bytes))
      } catch DecodingError.keyNotFound {
        let (part, paths) = try Filling.decode(type, from: Data(bytes), coding, over: initial)
        filled.formUnion(paths)
        return part
      }
    }
    let value = try read(type, bytes, over: initial)
    guard !differences.isEmpty else { return (value, filled) }
    guard let type = type as? any DifferenceCodable.Type else { throw StoredValueError.Reason.unknownDifferences }
    func apply<Table: DifferenceCodable>(_: Table.Type) throws -> Table {
      var table = value as! Table
      for bytes in differences { try table.apply(read(Table.Difference.self, bytes, over: nil)) }
      return table
    }
    return (try apply(type) as! Value, filled)
  }
}

/// The error of a stored value that can't be read, with its name, its version and the path in it.
public struct StoredValueError: Error, Hashable, Sendable {
  /// A reason.
  public enum Reason: Hashable, Sendable {
    /// There is no migration from the stored version.
    case noMigration(to: Int)

    /// The value was written by an unknown coding. Only the declared coding, JSON and the binary coding are known.
    case unknownCoding(String)

    /// The value was written as a difference, which its type or a migration of the stored form can't take.
    case unknownDifferences

    /// A property is missing, and other fields of the same object weren't read, so it may have been renamed.
    ///
    /// - Rename or remove these fields with a migration.
    case unreadFields([String])

    /// A migration has dropped the value.
    case dropped

    /// Decoding or a migration threw an error; the text describes it.
    case failed(String)
  }

  /// The name of the part, or the type of the actions.
  public let name: String

  /// The stored version, or the version from which the failed migration leads.
  public let version: Int

  /// The path in the value, such as `people.3.name`; empty for the whole value.
  public let path: String

  /// The reason for the error.
  public let reason: Reason
}

extension StoredValueError: CustomStringConvertible {
  /// The reason, as one sentence.
  public var description: String {
    "\(name) of version \(version) cannot be read\(path.isEmpty ? "" : " at \(path)"): \(reason.text)"
  }
}

extension StoredValueError {
  /// Makes the error of reading a value.
  init(_ name: String, version: Int, _ error: any Error) {
    switch error {
    case let error as StoredValueError: self = error
    case let error as StoredForm.Failure:
      self.init(name: name, version: version, path: error.path, reason: error.reason)
    default:
      let path = Self.path(of: error).joined(separator: ".")
      self.init(name: name, version: version, path: path, reason: Reason(error))
    }
  }

  /// Returns the keys and indexes that lead to the place of an error of decoding or encoding.
  ///
  /// - Parameter start: The number of leading keys to omit.
  static func path(of error: any Error, from start: Int = 0) -> [String] {
    let path: [any CodingKey]
    switch error {
    case DecodingError.keyNotFound(let key, let context): path = context.codingPath + [key]
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      path = context.codingPath
    case EncodingError.invalidValue(_, let context): path = context.codingPath
    default: path = []
    }
    return path.dropFirst(start).map { $0.intValue.map(String.init) ?? $0.stringValue }
  }
}

extension StoredValueError.Reason {
  /// Makes the reason from an error that was thrown.
  init(_ error: any Error) {
    switch error {
    case let reason as StoredValueError.Reason: self = reason
    case DecodingError.keyNotFound(_, let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
      self = .failed(context.debugDescription)
    case EncodingError.invalidValue(_, let context): self = .failed(context.debugDescription)
    default: self = .failed(Confidentiality.description(of: error))
    }
  }

  fileprivate var text: String {
    switch self {
    case .noMigration(let version): "there is no migration to version \(version)"
    case .unknownCoding(let name): "it was written by the coding \"\(name)\", not by the declared one"
    case .unknownDifferences: "it was written as the changes of a table, which cannot be read this way"
    case .unreadFields(let names):
      "it is not stored, but \(names.joined(separator: ", ")) is stored and not read: rename or remove it in a migration"
    case .dropped: "a migration dropped it"
    case .failed(let reason): reason
    }
  }
}

extension StoredValueError.Reason: Error {}
