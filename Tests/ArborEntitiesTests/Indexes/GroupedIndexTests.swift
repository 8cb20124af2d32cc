import ArborEntities
import Testing

@Suite("Grouped indexes")
struct GroupedIndexTests {
  @Test func `a group lists its records in the order of the table or in a custom order`() throws {
    var books = try Book.table()
    try books.insert(Book(id: 5, title: "Emma, again", author: "austen", year: 1816))
    try books.insert(Book(id: 6, title: "Lady Susan", author: "austen", year: 1817))
    #expect(books[Book.byAuthor, "austen"].ids == [2, 3, 5, 6])
    #expect(books[Book.byAuthorAndTitle, "austen"].ids == [2, 5, 6, 3])
    #expect(books[Book.byAuthorNewest, "austen"].ids == [3, 6, 5, 2])
    #expect(books[Book.byAuthor, "thoreau"].ids == [1])
  }

  @Test func `a record moves from group to group, and the last one to leave removes the group`() throws {
    var books = try Book.table()
    #expect(books.keys(of: Book.byAuthor) == ["thoreau", "austen", "eliot"])
    try books.update(1) { $0.author = "austen" }
    #expect(books.keys(of: Book.byAuthor) == ["austen", "eliot"])
    #expect(books[Book.byAuthor, "thoreau"].isEmpty)
    #expect(books[Book.byAuthor, "austen"].ids == [1, 2, 3])
    books.remove(4)
    #expect(books.keys(of: Book.byAuthor) == ["austen"])
    books.removeAll()
    #expect(books.keys(of: Book.byAuthor).isEmpty)
  }

  @Test func `E1 if equal keys have different bytes, a group has the key of its first record`() throws {
    let (composed, decomposed) = ("Orl\u{E9}", "Orle\u{301}")
    var plants: EntityTable = [Plant(id: 1, bed: composed), Plant(id: 2, bed: decomposed)]
    func bytes() -> [Int] { plants.keys(of: Plant.byBed).map(\.utf8.count) }
    #expect(bytes() == [5])
    plants.remove(1)
    #expect(bytes() == [6])
    try plants.update(2) { $0.bed = composed }
    #expect(bytes() == [5])
    try plants.insert(Plant(id: 3, bed: decomposed))
    try plants.rename([2: 4]) { $0 = Plant(id: $1, bed: nil) }
    #expect(bytes() == [6])
  }

  @Test func `a record without a key is in no group`() throws {
    var plants: EntityTable = [Plant(id: 1, bed: "east"), Plant(id: 2, bed: nil)]
    #expect(plants.keys(of: Plant.byBed) == ["east"])
    try plants.update(1) { $0.bed = nil }
    try plants.update(2) { $0.bed = "west" }
    #expect(plants.keys(of: Plant.byBed) == ["west"])
    #expect(plants[Plant.byBed, "west"].ids == [2])
  }

  @Test func `two indexes of the same shape are independent`() throws {
    let plants: EntityTable = [Plant(id: 1, bed: "east", house: "glass"), Plant(id: 2, bed: "glass", house: "stone")]
    #expect(plants[Plant.byBed, "glass"].ids == [2])
    #expect(plants[Plant.byHouse, "glass"].ids == [1])
  }

  @Test func `thousands of groups are created and removed`() throws {
    var plants = try EntityTable((0..<3_000).map { Plant(id: $0, bed: "\($0 % 1_500)") })
    #expect(plants.keys(of: Plant.byBed).count == 1_500)
    try plants.updateAll { $0.bed = "\($0.id % 7)" }
    #expect(Set(plants.keys(of: Plant.byBed)) == Set((0..<7).map(String.init)))
    #expect(plants[Plant.byBed, "3"].ids == (0..<3_000).filter { $0 % 7 == 3 })
    plants.checkInvariants()
  }
}

private struct Plant: IndexedEntity {
  let id: Int
  var bed: String?
  var house: String?

  static let byBed = GroupedIndex(\Plant.bed)
  static let byHouse = GroupedIndex(\Plant.house)

  static var indexes: [any EntityIndex<Plant>] { [byBed, byHouse] }
}
