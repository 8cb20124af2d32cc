import Arbor
import ArborEntities
import Testing

@Suite("Transactions")
struct TransactionTests {
  private let thoreau = Author(id: "thoreau", name: "Henry David Thoreau")

  @Test func `an error leaves all tables unchanged`() throws {
    var library = Library(books: try Book.table())
    let before = library
    #expect(throws: EntityError<Book>.exists(1)) {
      try withTransaction(&library) { library in
        try library.authors.insert(thoreau)
        library.books.remove(2)
        try library.books.insert(.walden)
      }
    }
    #expect(library == before)
    #expect(library.books.stamp == before.books.stamp)
    #expect(library.authors.stamp == before.authors.stamp)
    library.books.checkInvariants()
  }

  @Test func `an error in the closure of an update undoes the earlier changes of the transaction`() throws {
    var library = Library(books: try Book.table())
    #expect(throws: Refusal()) {
      try withTransaction(&library) { library in
        library.books.removeAll { $0.id != 1 }
        try library.books.update(1) { book in
          book.title = ""
          throw Refusal()
        }
      }
    }
    #expect(Array(library.books) == [.walden, .emma, .persuasion, .middlemarch])
    #expect(library.books[Book.shelf].ids == [2, 1])
  }

  @Test func `reads inside a transaction see its changes so far, even in indexes`() throws {
    var library = Library(books: try Book.table())
    let titles = try withTransaction(&library) { library in
      try library.books.update(1) { $0.title = "A Week on the Concord" }
      #expect(library.books[1]?.title == "A Week on the Concord")
      return library.books[Book.byTitle].map(\.title)
    }
    #expect(titles == ["A Week on the Concord", "Emma", "Middlemarch", "Persuasion"])
  }

  @Test func `a record removed and inserted again in one transaction is the new one`() throws {
    var library = Library(books: try Book.table())
    try withTransaction(&library) { library in
      library.books.remove(1)
      try library.books.insert(Book(id: 1, title: "Another", isbn: "w"))
    }
    #expect(library.books[1]?.title == "Another")
    #expect(library.books[Book.byISBN, "w"]?.title == "Another")
    #expect(Array(library.books.ids) == [2, 3, 4, 1])
    #expect(library.books[Book.shelf].ids == [2])
    library.books.checkInvariants()
  }

  @Test func `a record's group in another table is removed with it, or moves to another record, all or none`() throws {
    func remove(_ author: Author.ID, leavingBooksTo heir: Author.ID?, in library: inout Library) throws {
      try withTransaction(&library) { library in
        library.authors.remove(author)
        let books = library.books[Book.byAuthor, author].ids
        if let heir {
          guard library.authors.contains(id: heir) else { throw EntityError<Author>.missing(heir) }
          try library.books.update(ids: books) { $0.author = heir }
        } else {
          library.books.remove(ids: books)
        }
      }
    }
    let authors = ["thoreau", "austen", "eliot"].map { Author(id: .init($0), name: $0) }
    var library = Library(books: try Book.table(), authors: try EntityTable(authors))
    try remove("austen", leavingBooksTo: nil, in: &library)
    #expect(library.books.map(\.title) == ["Walden", "Middlemarch"])
    #expect(library.books[Book.shelf].ids == [1])
    let before = library
    #expect(throws: EntityError<Author>.missing("thoreau")) {
      try remove("thoreau", leavingBooksTo: "thoreau", in: &library)
    }
    #expect(library == before)
    try remove("thoreau", leavingBooksTo: "eliot", in: &library)
    #expect(library.books[Book.byAuthor, "eliot"].ids == [1, 4])
    #expect(library.authors.map(\.id) == ["eliot"])
    library.books.checkInvariants()
  }

  @Test func `a nested transaction is undone with the outer one`() throws {
    var library = Library()
    #expect(throws: Refusal()) {
      try withTransaction(&library) { library in
        try withTransaction(&library) { try $0.books.insert(.walden) }
        #expect(library.books.count == 1)
        throw Refusal()
      }
    }
    #expect(library == Library())
  }

  @Test func `a nested transaction is undone by itself if its error is caught`() throws {
    var library = Library()
    try withTransaction(&library) { library in
      try library.books.insert(.walden)
      #expect(throws: Refusal()) {
        try withTransaction(&library) { library in
          try library.books.insert(.emma)
          throw Refusal()
        }
      }
      #expect(Array(library.books.ids) == [1])
      try library.books.insert(.persuasion)
    }
    #expect(Array(library.books.ids) == [1, 3])
  }

  @Test func `a body that cannot throw needs no try, and its result is returned`() {
    var library = Library()
    let count = withTransaction(&library) { library in
      library.books = [.walden]
      return library.books.count
    }
    #expect(count == 1)
    #expect(library.books.count == 1)
  }

  @Test func `a body throws its own error type`() {
    var books = EntityTable<Book>()
    do {
      try withTransaction(&books) { books throws(EntityError<Book>) in
        try books.insert(.walden)
        try books.insert(.walden)
      }
    } catch {
      #expect(error == .exists(1))
    }
    #expect(books.isEmpty)
  }

  @Test func `a reducer undoes a transaction and continues`() {
    let factory = StoreFactory<Library, [Book]>(initialState: Library()) { library, books in
      do {
        try withTransaction(&library) { library in
          for book in books { try library.books.insert(book) }
        }
      } catch {
        library.authors = [Author(id: "nobody", name: "\(error)")]
      }
    }
    let store = factory.rootStore()
    store.dispatchAndWait([.walden, .emma])
    store.dispatchAndWait([.persuasion, .walden])
    #expect(Array(factory.state.books.ids) == [1, 2])
    #expect(factory.state.authors.first?.name == "Book(1) already exists, or occurs twice")
  }

  @Test func `a commit undoes a transaction whose error it catches`() throws {
    let store = CommitStore(initialState: Library())
    store.commit { library in
      try? withTransaction(&library) { library in
        try library.books.insert(.walden)
        throw Refusal()
      }
    }
    #expect(store.state.books.isEmpty)
    try store.commit { try $0.books.insert(.walden) }
    #expect(Array(store.state.books.ids) == [1])
  }
}
