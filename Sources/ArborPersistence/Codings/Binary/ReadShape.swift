/// The keys of objects that are decoded.
final class ReadShape {
  let keys: ContiguousArray<String>

  /// `true` if a key is there twice: the last one counts.
  let hasRepeats: Bool

  /// So many keys are looked through faster than a table of them is made.
  private static let fewKeys = 16

  /// The places of the keys, if they are many.
  private lazy var places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })

  /// The keys of one type; those that it does not know are left out.
  private var typedKeys: AnyObject?
  private var typeOfKeys: ObjectIdentifier?

  init(_ keys: ContiguousArray<String>, hasRepeats: Bool) {
    self.keys = keys
    self.hasRepeats = hasRepeats
  }

  /// The place of a key that is probably the one at a place; nil if there is none.
  @inline(__always)
  func place(of key: String, near guess: Int) -> Int? {
    if guess < keys.count, keys[guess] == key, !hasRepeats { return guess }
    return search(key, from: guess)
  }

  @inline(never)
  private func search(_ key: String, from guess: Int) -> Int? {
    if hasRepeats || keys.count > Self.fewKeys { return places[key] }
    var place = guess
    for _ in keys.indices {
      place = place + 1 < keys.count ? place + 1 : 0
      if keys[place] == key { return place }
    }
    return nil
  }

  /// The keys of a type, in their order.
  func keys<Key: CodingKey>(as type: Key.Type) -> [Key] {
    if typeOfKeys == ObjectIdentifier(type) { return unsafeDowncast(typedKeys!, to: TypedKeys<Key>.self).keys }
    let typed = TypedKeys(keys: keys.compactMap { Key(stringValue: $0) })
    typedKeys = typed
    typeOfKeys = ObjectIdentifier(type)
    return typed.keys
  }

  private final class TypedKeys<Key: CodingKey> {
    let keys: [Key]

    init(keys: [Key]) { self.keys = keys }
  }
}
