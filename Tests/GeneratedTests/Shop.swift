/// The state of the program from which the tests are generated.
struct Shop: Equatable, Sendable {
  var visitor: Visitor?
  var rows: [Row] = []
  var stock: [String: Int] = [:]
  var prices: [Label: Double] = [:]
  var labels: Set<Label> = []
  var phase = Phase.browsing
  var search = Search()
  var total = 0.0

  /// Titles and names with characters that a source must escape.
  static let texts = [
    "", "Rake", "a \"quoted\" word", #"C:\new\"#, "tab\tand\nline", "\u{2028}\u{202E}\0\u{1B}", #"\(rows.count)"#,
    "👩\u{200D}👩 e\u{301}", "\"",
    "\"\"\" and \\(no), with blanks  \n\tand tabs \r\nand \u{0} and more than one line, however long a line may be   \n \n",
    """
    a line
      and another one,

    and one that is too long for a line of its own, which is a line of at most 120 characters, it says
    """,
  ]
}

struct Visitor: Equatable, Sendable {
  var name: String
  var address = Address()
  var age: Int?
}

struct Address: Equatable, Sendable {
  var street = ""
  var city = ""
}

struct Row: Equatable, Identifiable, Sendable {
  let id: Int
  var title: String
  var count = 1
  var note: String??
}

struct Search: Equatable, Sendable {
  var text = ""
  var isRunning = false
  var results: [String] = []
}

enum Label: Hashable, Sendable {
  case none
  case new
  case reduced(percent: Int)
}

enum Phase: Equatable, Sendable {
  indirect case refused(reason: String, after: Phase)

  case browsing
  case paying(Double, with: Method)
  case done(Receipt)

  enum Method: Equatable, Sendable {
    case cash
    case card(Substring)
  }

  struct Receipt: Equatable, Sendable {
    var number: Int
    var lines: [String]
  }
}
