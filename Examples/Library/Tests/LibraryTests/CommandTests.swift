import ArborEntities
import Testing

@testable import LibraryCore

@Suite struct CommandTests {
  @Test(
    arguments: [
      ("find white whale", .find("white whale")),
      ("  by-author   Herman Melville ", .byAuthor("Herman Melville")),
      ("loan 1 Ann", .loan(1, person: "Ann", days: 28)),
      ("loan 1 Ann  Lee 14", .loan(1, person: "Ann Lee", days: 14)),
      ("loan 1 7", .loan(1, person: "7", days: 28)),
      ("return 1", .return(1)),
      ("overdue", .overdue(nil)),
      ("overdue 2026-03-01", .overdue(.march(1))),
      ("help", .help),
      ("quit", .quit),
    ] as [(String, Command)]
  )
  func `a line is a command`(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test(arguments: ["", "  \t"])
  func `a blank line is not a command`(line: String) throws {
    #expect(try Command(line) == nil)
  }

  @Test(
    arguments: [
      ("burn 1", "unknown command \"burn\"; try help"),
      ("find ", "find needs text"),
      ("by-author", "by-author needs a name"),
      ("loan", "loan needs a book"),
      ("loan 1", "loan needs a person"),
      ("loan Walden Ann", "\"Walden\" is not a book's number"),
      ("loan 1 Ann 0", "a book can be lent for 1 to 3650 days, not 0"),
      ("loan 1 Ann 4000", "a book can be lent for 1 to 3650 days, not 4000"),
      ("return", "return needs a book"),
      ("return x", "\"x\" is not a book's number"),
      ("overdue today", "\"today\" is not a date; write it like 2026-03-01"),
      ("help me", "unexpected argument \"me\" for help"),
    ]
  )
  func `an invalid command gives the reason`(line: String, reason: String) {
    let error = #expect(throws: CommandError.self) { try Command(line) }
    #expect(error?.description == reason)
  }
}
