import Foundation
import Testing

/// The loans in their folder, as stored by the whole program.
@Suite(.serialized)
struct StorageTests {
  private let folder: TemporaryFolder
  private let catalogue: String
  private let storage: String

  init() throws {
    folder = try TemporaryFolder()
    catalogue = try folder.write(
      lines: [
        #"{"id":1,"title":"Moby-Dick","author":"Herman Melville"}"#,
        #"{"id":2,"title":"Villette","author":"Charlotte Brontë"}"#,
      ],
      to: "books.jsonl"
    )
    storage = folder.path("loans")
  }

  private func run(
    _ commands: String...,
    catalogue: String? = nil,
    options: [String] = [],
    longestFile blocks: Int? = nil
  ) throws -> Outcome {
    var outcome = try LibraryProcess.run(
      [catalogue ?? self.catalogue, "--today", "2026-03-01", "--storage", storage] + options + ["--"] + commands,
      longestFile: blocks
    )
    outcome.errors.removeAll { $0.hasSuffix(" loaded") }
    return outcome
  }

  @Test func `loans and returns are known after a restart`() throws {
    #expect(try run("loan 1 Ann", "loan 2 Bob 7", "return 2") == Outcome(lines: lent + ["returned 2"]))
    #expect(
      try run("find moby", "loan 1 Bob", "return 2", "return 1")
        == Outcome(
          lines: ["[1] Moby-Dick, by Herman Melville; Ann has it until 2026-03-29", "1 found", "returned 1"],
          errors: ["error: Ann has book 1 until 2026-03-29", "error: no one has borrowed book 2"],
          status: 1
        )
    )
    #expect(try run("overdue 2030-01-01") == Outcome(lines: ["0 overdue"]))
  }

  private let lent = ["lent 1 to Ann until 2026-03-29", "lent 2 to Bob until 2026-03-08"]

  @Test func `without a storage nothing is stored`() throws {
    for _ in 1...2 {
      let outcome = try LibraryProcess.run([catalogue, "--today", "2026-03-01", "--", "loan 1 Ann"])
      #expect(outcome.lines == [lent[0]])
    }
  }

  @Test func `a program killed at any moment has stored everything that it answered`() throws {
    let pipe = Pipe()
    let output = Pipe()
    let process = try LibraryProcess.start(
      [catalogue, "--today", "2026-03-01", "--storage", storage], input: pipe, output: output)
    try pipe.fileHandleForWriting.write(contentsOf: Data("loan 1 Ann\nloan 2 Bob 7\n".utf8))
    var text = ""
    while text.count(where: \.isNewline) < 2 {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty)
      text += String(decoding: more, as: UTF8.self)
    }
    let second = try run("find e")
    #expect(second.errors.count == 1)
    let told = "library: could not lock \(storage)/lock: it is in use by library (process "
    #expect(second.errors.first?.hasPrefix(told) == true)
    #expect(second.lines.isEmpty && second.status == 1)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(
      try run("overdue 2030-01-01").lines == [
        "[2] Villette: Bob had it until 2026-03-08", "[1] Moby-Dick: Ann had it until 2026-03-29", "2 overdue",
      ]
    )
  }

  @Test func `a loan of a book missing from the catalog is reported, shown and taken back`() throws {
    _ = try run("loan 1 Ann", "loan 2 Bob 7")
    let shorter = try folder.write(lines: [#"{"id":1,"title":"Moby-Dick","author":"Herman Melville"}"#], to: "shorter")
    let told = "library: book 2, which Bob has until 2026-03-08, is not in the catalog"
    #expect(
      try run("overdue 2026-03-20", "loan 2 Ann", catalogue: shorter)
        == Outcome(
          lines: ["[2] a book that is not in the catalog: Bob had it until 2026-03-08", "1 overdue"],
          errors: [told, "error: Bob has book 2 until 2026-03-08"],
          status: 1
        )
    )
    #expect(try run("return 2", catalogue: shorter) == Outcome(lines: ["returned 2"], errors: [told]))
    #expect(try run("overdue 2030-01-01").lines == ["[1] Moby-Dick: Ann had it until 2026-03-29", "1 overdue"])
  }

  @Test func `a refused catalog removes no loan`() throws {
    _ = try run("loan 1 Ann")
    let bad = try folder.write(lines: ["nonsense"], to: "bad")
    #expect(try run("find moby", catalogue: bad, options: ["--strict"]).status == 1)
    #expect(try run("return 1").lines == ["returned 1"])
  }

  @Test func `a damaged storage is reported, used up to the damage, and kept under another name`() throws {
    _ = try run("loan 1 Ann", "loan 2 Bob 7", "return 1")
    var bytes = try folder.read("loans/1.log")
    let damaged = try #require(bytes.range(of: Data("Bob".utf8))).lowerBound
    bytes[damaged] ^= 1
    _ = try folder.write(bytes, to: "loans/1.log")
    let outcome = try run("find moby")
    #expect(outcome.lines == ["[1] Moby-Dick, by Herman Melville; Ann has it until 2026-03-29", "1 found"])
    #expect(outcome.errors.first?.hasPrefix("library: \(storage): 1.log is damaged at byte ") == true)
    #expect(
      outcome.errors.dropFirst() == ["library: \(storage): unreadable data is kept in 1.log.e43230aa.damaged"]
    )
    #expect(outcome.status == 0)
    #expect(try folder.read("loans/1.log.e43230aa.damaged") == bytes)
    // It is reported once, although nothing was changed.
    #expect(
      try run("return 1", "loan 2 Cid 7") == Outcome(lines: ["returned 1", "lent 2 to Cid until 2026-03-08"])
    )
    #expect(try run("return 2") == Outcome(lines: ["returned 2"]))
  }

  @Test func `a failure to store is reported, and again at the end`() throws {
    // The loans' file now exceeds the limit for files in the next run; the printed texts do not.
    _ = try run("loan 1 \(String(repeating: "A", count: 2000))")
    let outcome = try run("find villette", "loan 2 Bob 7", longestFile: 1)
    #expect(outcome.lines == ["[2] Villette, by Charlotte Brontë", "1 found"])
    #expect(outcome.errors.count == 2)
    let error = "error: the change was made, but could not be stored: could not write \(storage)/"
    #expect(outcome.errors.first?.hasPrefix(error) == true)
    #expect(outcome.errors.last?.hasPrefix("library: could not write \(storage)/") == true)
    #expect(outcome.status == 1)
    #expect(try run("return 2", "return 1").lines == ["returned 1"])
  }

  @Test func `an unusable storage is named`() throws {
    let outcome = try LibraryProcess.run([catalogue, "--storage", "/dev/null/loans", "--", "find moby"])
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("library: could not create /dev/null/loans: ") == true)
    #expect(outcome.lines.isEmpty && outcome.status == 1)
  }
}
