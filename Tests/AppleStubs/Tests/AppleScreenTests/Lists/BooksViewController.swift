import Arbor
import ArborEntities
import ArborUI
import UIKit

struct Library: Sendable {
  var books = EntityTable<Book>()
}

final class BooksViewController: UITableViewController {
  enum Section {
    case books
  }

  var store: Store<Library, Mutation<Library>>?

  /// The books that the table view shows.
  private var books = EntityTable<Book>()
  private var subscription: StoreSubscription?

  private(set) lazy var dataSource = UITableViewDiffableDataSource<Section, Book.ID>(tableView: tableView) {
    [weak self] tableView, path, id in
    let cell = tableView.dequeueReusableCell(withIdentifier: "book", for: path)
    var content = cell.defaultContentConfiguration()
    content.text = self?.books[id]?.title
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "book")
    subscription = store?.observe(table: \.books, on: .main) { [weak self] changes in
      self?.books = changes.current
      self?.dataSource.apply(changes, showing: changes.current[Book.byTitle], to: .books)
    }
  }
}
