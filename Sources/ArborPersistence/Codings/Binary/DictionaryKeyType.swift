/// The type of the keys that a `Dictionary` encodes itself with, if its own are strings or integers.
///
/// - It has no public name, so a dictionary is asked for it.
enum DictionaryKeyType {
  static let identifier: ObjectIdentifier? = {
    let probe = Probe()
    try? [String: Int]().encode(to: probe)
    return probe.identifier
  }()

  private final class Probe: Encoder {
    var identifier: ObjectIdentifier?
    private let encoder = BinaryEncoder.thatWritesNothing(BinaryWriter())

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      identifier = ObjectIdentifier(type)
      return KeyedEncodingContainer(BinaryKeyedEncoding<Key>(encoder: encoder))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      BinaryUnkeyedEncoding(encoder: encoder)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
      BinarySingleEncoding(encoder: encoder)
    }
  }
}
