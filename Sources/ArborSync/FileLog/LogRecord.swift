internal import ArborPersistence
internal import Foundation

/// The records in a log's files.
extension LoggedAction {
  /// The record. It doesn't contain the position, which is the number of its frame.
  var record: [UInt8] {
    var record: [UInt8] = []
    record.append(client: client)
    record.append(number: UInt64(number))
    record.append(number: UInt64(version))
    record.append(field: bytes)
    return record
  }

  /// Reads a record. Throws if it is malformed.
  init(at position: Int, readingFrom record: ArraySlice<UInt8>) throws(RecordReader.Malformed) {
    var reader = RecordReader(record)
    let client = try reader.client()
    let (number, version) = (try reader.count(), try reader.count())
    let bytes = Data(try reader.field())
    guard reader.isAtEnd, number > 0 else { throw RecordReader.Malformed() }
    self.init(position: position, client: client, number: number, version: version, bytes: bytes)
  }

  /// Reads only the client and the number of a record.
  static func sender(of record: ArraySlice<UInt8>) throws(RecordReader.Malformed) -> (client: LogClient, number: Int) {
    var reader = RecordReader(record)
    return (try reader.client(), try reader.count())
  }
}

extension LogSnapshot {
  /// The record. It contains the position, because a file's name may be changed.
  var record: [UInt8] {
    var record: [UInt8] = []
    record.append(number: UInt64(position))
    record.append(number: UInt64(numbers.count))
    for (client, number) in numbers {
      record.append(client: client)
      record.append(number: UInt64(number))
    }
    record.append(number: UInt64(version))
    record.append(field: bytes)
    return record
  }

  /// Reads a record. Throws if it is malformed.
  init(readingFrom record: ArraySlice<UInt8>) throws(RecordReader.Malformed) {
    var reader = RecordReader(record)
    let position = try reader.count()
    var numbers: [LogClient: Int] = [:]
    for _ in 0..<(try reader.number()) { numbers[try reader.client()] = try reader.count() }
    let version = try reader.count()
    let bytes = Data(try reader.field())
    guard reader.isAtEnd else { throw RecordReader.Malformed() }
    self.init(position: position, numbers: numbers, version: version, bytes: bytes)
  }
}

extension [UInt8] {
  fileprivate mutating func append(client: LogClient) {
    append(text: client.name)
    append(number: client.incarnation)
  }
}

extension RecordReader {
  fileprivate mutating func client() throws(Malformed) -> LogClient {
    LogClient(try text(), incarnation: try number())
  }
}
