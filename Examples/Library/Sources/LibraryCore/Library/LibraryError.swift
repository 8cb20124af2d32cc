import ArborEntities
import ArborPersistence

/// The reason why the library cannot fulfill a request.
enum LibraryError: Error, Equatable, CustomStringConvertible {
  case noAuthor(String)
  case noBook(Book.ID)
  case lent(Loan)
  case notLent(Book.ID)
  case notStored(StorageError)

  var description: String {
    switch self {
    case .noAuthor(let name): "there is no author \"\(name)\""
    case .noBook(let id): "there is no book \(id.rawValue)"
    case .lent(let loan): "\(loan.person) has book \(loan.id.rawValue) until \(loan.due)"
    case .notLent(let id): "no one has borrowed book \(id.rawValue)"
    case .notStored(let error): "the change was made, but could not be stored: \(error)"
    }
  }
}
