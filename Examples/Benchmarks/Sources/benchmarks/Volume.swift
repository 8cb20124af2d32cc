import ArborEntities

/// A small record.
struct Volume: Identifiable, Sendable {
  let id: Int
  var title: String
  var copies: Int

  init(_ number: Int) {
    id = number
    title = "volume \(number)"
    copies = number
  }

  /// A number of volumes.
  static func all(_ count: Int) -> [Volume] { (0..<count).map(Volume.init) }

  /// A number of random volumes' numbers.
  static func picks(_ count: Int, of all: Int) -> [Int] { (0..<count).map { _ in Int.random(in: 0..<all) } }
}

/// The same record, in a type whose tables are sorted.
struct SortedVolume: IndexedEntity {
  let id: Int
  var title: String
  var copies: Int

  static let byTitle = SortedIndex(\SortedVolume.title)

  static var indexes: [any EntityIndex<SortedVolume>] { [byTitle] }
}
