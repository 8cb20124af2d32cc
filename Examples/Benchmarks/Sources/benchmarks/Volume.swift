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

  /// So many of them.
  static func all(_ count: Int) -> [Volume] { (0..<count).map(Volume.init) }

  /// The numbers of so many of them, taken at random.
  static func picks(_ count: Int, of all: Int) -> [Int] { (0..<count).map { _ in Int.random(in: 0..<all) } }
}

/// The same, of a type whose tables are sorted.
struct SortedVolume: IndexedEntity {
  let id: Int
  var title: String
  var copies: Int

  static let byTitle = SortedIndex(\SortedVolume.title)

  static var indexes: [any EntityIndex<SortedVolume>] { [byTitle] }
}
