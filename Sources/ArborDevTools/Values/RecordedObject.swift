/// The members of an object in a recorded tree, in their order. Each key occurs once.
public struct RecordedObject: Sendable {
  /// A value with its key.
  public struct Member: Sendable {
    /// The key, unique in the object.
    public let key: String

    /// The value.
    public package(set) var value: RecordedValue

    package init(_ key: String, _ value: RecordedValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, in their order.
  public private(set) var members: [Member]

  /// The maximum number of keys that are searched faster than a table of them is made.
  private static let fewKeys = 16

  package init() {
    members = []
  }

  /// Makes an object. If several members have the same key, the value of the last one takes the place of the first.
  package init(_ members: [Member]) {
    self.members = members
    if members.count <= RecordedObject.fewKeys {
      for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.has(member.key) }) {
        self.members = RecordedObject.lastOfEach(members)
        break
      }
    } else if Set(members.map { ExactText($0.key) }).count < members.count {
      self.members = RecordedObject.lastOfEach(members)
    }
  }

  private static func lastOfEach(_ members: [Member]) -> [Member] {
    var places: [ExactText: Int] = [:]
    var last: [Member] = []
    for member in members {
      if let place = places[ExactText(member.key)] {
        last[place].value = member.value
      } else {
        places[ExactText(member.key)] = last.count
        last.append(member)
      }
    }
    return last
  }

  /// The number of members.
  public var count: Int { members.count }

  /// The value with a key; nil if there is none. If you set a value with a new key, it is added at the end; nil removes
  /// the member.
  ///
  /// - It searches the keys one after the other. For many lookups, see `places()`.
  /// - Parameter key: The key of the member.
  public package(set) subscript(key: String) -> RecordedValue? {
    get { place(of: key).map { members[$0].value } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key, value))
      case (nil, nil): break
      }
    }
  }

  /// Returns the place of a key in the order of the members; nil if there is none.
  package func place(of key: String) -> Int? {
    members.firstIndex { $0.has(key) }
  }

  /// Returns the places of all keys.
  func places() -> [ExactText: Int] {
    Dictionary(uniqueKeysWithValues: members.enumerated().map { (ExactText($1.key), $0) })
  }

  /// Changes the value at a place without copying it.
  mutating func change<Result, Failure: Error>(
    at place: Int,
    _ body: (inout RecordedValue) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&members[place].value)
  }

  /// Sorts the members by their keys.
  mutating func sort() {
    members.sort { $0.key < $1.key }
  }
}

extension RecordedObject.Member {
  fileprivate func has(_ key: String) -> Bool { ExactText(self.key) == ExactText(key) }
}

extension RecordedObject: Equatable {
  /// Compares the members, ignoring their order.
  public static func == (left: RecordedObject, right: RecordedObject) -> Bool {
    RecordedValue.object(left) == RecordedValue.object(right)
  }

  /// Compares the keys of two objects, and adds the pairs of their values unless the objects share their memory.
  func hasEqualKeys(as other: RecordedObject, _ pairs: inout [(RecordedValue, RecordedValue)]) -> Bool {
    guard count == other.count else { return false }
    if members.sharesMemory(with: other.members) { return true }
    var places: [ExactText: Int]?
    for (index, member) in members.enumerated() {
      var place: Int? = index
      if !member.has(other.members[index].key) {
        // The order differs from here on.
        places = places ?? other.places()
        place = places?[ExactText(member.key)]
      }
      guard let place else { return false }
      pairs.append((member.value, other.members[place].value))
    }
    return true
  }
}

extension Array {
  /// Returns `true` if two arrays share their memory.
  func sharesMemory(with other: Array) -> Bool {
    withUnsafeBufferPointer { elements in
      other.withUnsafeBufferPointer { elements.baseAddress == $0.baseAddress && elements.count == $0.count }
    }
  }
}
