import Foundation
import Testing

@testable import LibraryCore

/// The whole program, tested through its standard streams with a real file.
@Suite(.serialized)
struct ProgramTests {
  private let folder: TemporaryFolder
  private let good = [
    #"{"id":1,"title":"Moby-Dick","author":"Herman Melville","year":1851}"#,
    #"{"id":2,"title":"Villette","author":"Charlotte Brontë","year":1853}"#,
    #"{"id":3,"title":"Typee","author":"Herman Melville","year":1846}"#,
  ]

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `commands are answered`() throws {
    let path = try folder.write(lines: good, to: "books.jsonl")
    let outcome = try LibraryProcess.run(
      [path, "--today", "2026-03-01"],
      input: """
        find bronte
        by-author Herman Melville
        loan 1 Ann Lee
        loan 2 Bob 7

        find VILLETTE
        overdue
        overdue 2026-03-20
        return 2
        overdue 2027-01-01
        quit
        find e
        """
    )
    #expect(
      outcome
        == Outcome(
          lines: [
            "[2] Villette, by Charlotte Brontë (1853)", "1 found",
            "[1] Moby-Dick, by Herman Melville (1851)", "[3] Typee, by Herman Melville (1846)", "2 found",
            "lent 1 to Ann Lee until 2026-03-29", "lent 2 to Bob until 2026-03-08",
            "[2] Villette, by Charlotte Brontë (1853); Bob has it until 2026-03-08", "1 found",
            "0 overdue",
            "[2] Villette: Bob had it until 2026-03-08", "1 overdue",
            "returned 2",
            "[1] Moby-Dick: Ann Lee had it until 2026-03-29", "1 overdue",
          ],
          errors: ["\(path): 3 rows, 0 skipped, 3 loaded"]
        )
    )
  }

  @Test func `after an error the program continues, and its status reports the error`() throws {
    let path = try folder.write(lines: good, to: "books.jsonl")
    let outcome = try LibraryProcess.run(
      [path, "--today", "2026-03-01"],
      input: "loan 1 Ann\nloan 1 Bob\nloan 9 Bob\nreturn 2\nby-author Nobody\nburn 1\nreturn 1\n"
    )
    #expect(
      outcome
        == Outcome(
          lines: ["lent 1 to Ann until 2026-03-29", "returned 1"],
          errors: [
            "\(path): 3 rows, 0 skipped, 3 loaded",
            "error: Ann has book 1 until 2026-03-29",
            "error: there is no book 9",
            "error: no one has borrowed book 2",
            "error: there is no author \"Nobody\"",
            "error: unknown command \"burn\"; try help",
          ],
          status: 1
        )
    )
  }

  @Test func `bad rows are skipped with their lines, or refused with all others`() throws {
    let bad = ["nonsense", #"{"title":"Omoo"}"#, #"{"id":1,"title":"Twice","author":"Nobody"}"#]
    let path = try folder.write(lines: [good[0], bad[0], "", bad[1], good[1], bad[2], good[2]], to: "books.jsonl")
    let problems = [
      "\(path):2: the line is not JSON",
      "\(path):4: \"id\" is missing",
      "\(path):6: Book(1) already exists, or occurs twice",
    ]
    let skipping = try LibraryProcess.run([path], input: "find dick\nby-author Nobody\n")
    #expect(skipping.lines == ["[1] Moby-Dick, by Herman Melville (1851)", "1 found"])
    #expect(
      skipping.errors
        == problems + ["\(path): 6 rows, 3 skipped, 3 loaded", "error: there is no author \"Nobody\""]
    )
    #expect(
      try LibraryProcess.run([path, "--strict"], input: "find dick\n")
        == Outcome(errors: problems + ["\(path): 6 rows, 3 invalid, so nothing was loaded"], status: 1)
    )
    let strict = try folder.write(lines: good, to: "good.jsonl")
    #expect(try LibraryProcess.run(["--strict", strict], input: "find dick\n").lines == skipping.lines)
  }

  @Test func `control characters of a file are shown, not executed`() throws {
    let title = #"Moby\u001b[2J\n[9] \u202eDick\u2028\u009b\u007f"#
    let path = try folder.write(
      lines: [#"{"id":1,"title":"\#(title)","author":"Herman\r\u2067Melville"}"#, "nonsense"],
      to: "\u{1B}c.jsonl"
    )
    let shown = #"Moby\u{1B}[2J\n[9] \u{202E}Dick\u{2028}\u{009B}\u{7F}"#
    let name = path.replacing("\u{1B}", with: #"\u{1B}"#)
    let outcome = try LibraryProcess.run(
      [path, "--today", "2026-03-01"], input: "loan 1 A\u{7}nn\nfind moby\nby-author \u{1B}c\n")
    #expect(
      outcome
        == Outcome(
          lines: [
            #"lent 1 to A\u{07}nn until 2026-03-29"#,
            #"[1] \#(shown), by Herman\r\u{2067}Melville; A\u{07}nn has it until 2026-03-29"#, "1 found",
          ],
          errors: [
            "\(name):2: the line is not JSON", "\(name): 2 rows, 1 skipped, 1 loaded",
            #"error: there is no author "\u{1B}c""#,
          ],
          status: 1
        )
    )
  }

  @Test func `if the catalog comes from standard input, the commands are arguments`() throws {
    let outcome = try LibraryProcess.run(
      ["-", "--today", "2026-03-01", "--", "loan 1 Ann", "find dick", "return 7"],
      input: "\(good[0])\nnonsense\n"
    )
    #expect(
      outcome
        == Outcome(
          lines: [
            "lent 1 to Ann until 2026-03-29",
            "[1] Moby-Dick, by Herman Melville (1851); Ann has it until 2026-03-29", "1 found",
          ],
          errors: [
            "standard input:2: the line is not JSON", "standard input: 2 rows, 1 skipped, 1 loaded",
            "error: there is no book 7",
          ],
          status: 1
        )
    )
  }

  @Test func `a hundred thousand rows are loaded, or skipped with their lines`() throws {
    let rows = (1...100_000).map { number in
      number.isMultiple(of: 10_000)
        ? "nonsense" : #"{"id":\#(number),"title":"Book \#(number)","author":"Author \#(number % 7000)"}"#
    }
    let path = try folder.write(lines: rows, to: "books.jsonl")
    let outcome = try LibraryProcess.run([path], input: "by-author Author 6999\nfind book 9999\n")
    #expect(
      outcome.errors
        == (1...10).map { "\(path):\($0 * 10_000): the line is not JSON" }
        + ["\(path): 100000 rows, 10 skipped, 99990 loaded"]
    )
    // The author's books and their number, and the books whose numbers begin with 9999 and their number.
    #expect(outcome.lines.count == 14 + 1 + 11 + 1)
    #expect(outcome.status == 0)
  }

  @Test(arguments: [("nowhere", "No such file or directory"), (".", "Is a directory")])
  func `an unreadable catalog is named`(name: String, reason: String) throws {
    let path = folder.path(name)
    #expect(
      try LibraryProcess.run([path], input: "help\n")
        == Outcome(errors: ["library: \(path): \(reason)"], status: 1)
    )
  }

  @Test func `invalid arguments are answered with the usage`() throws {
    for arguments in [[], ["a", "b"], ["a", "--today", "2026-02-30"], ["a", "--wrong"]] {
      let outcome = try LibraryProcess.run(arguments)
      #expect(outcome.lines.isEmpty)
      #expect(outcome.errors.contains { $0.hasPrefix("USAGE: library") || $0.hasPrefix("Usage: library") })
      #expect(outcome.status == 64)
    }
    let help = try LibraryProcess.run(["--help"])
    #expect(help.lines.first == "OVERVIEW: A library of books, authors and loans.")
    #expect(help.status == 0)
  }
}
