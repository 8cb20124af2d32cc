import Foundation
import Testing

/// The whole program, tested by lines, with a log of files in a folder.
@Suite("The program", .serialized)
struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func board(_ name: String) throws -> BoardProcess {
    try BoardProcess("--folder", folder.path, "--name", name)
  }

  @Test func `a card that Ann adds is on Ben's board`() throws {
    let ann = try board("Ann")
    try ann.send("add milk", "add 牛乳", "assign 2 Ben", "wait", "list", "quit")
    #expect(
      try ann.finish()
        == BoardProcess.Outcome(
          lines: [
            "added 1", "added 2", "assigned 2", "caught up at position 3", "1 todo milk", "2 todo 牛乳 @Ben", "2 cards",
          ]
        )
    )
    let ben = try board("Ben")
    try ben.send("wait", "list")
    #expect(
      try ben.finish().lines == ["caught up at position 3", "1 todo milk", "2 todo 牛乳 @Ben", "2 cards"]
    )
  }

  @Test func `two simultaneous users see each other's changes`() throws {
    let (ann, ben) = (try board("Ann"), try board("Ben"))
    #expect(try ann.ask("add milk") == "added 1")
    #expect(try ben.ask("wait 1") == "caught up at position 1")
    #expect(try ben.ask("move 1 doing") == "moved 1")
    #expect(try ben.ask("edit 1 oat milk") == "edited 1")
    #expect(try ann.ask("wait 3") == "caught up at position 3")
    #expect(try ann.ask("list") == "1 doing oat milk")
    #expect(ann.nextLine() == "1 card")
    #expect(try ann.ask("remove 1") == "removed 1")
    #expect(try ben.ask("wait 4") == "caught up at position 4")
    try ben.send("edit 1 gone")
    #expect(try ben.finish() == BoardProcess.Outcome(errors: ["error: there is no card 1"]))
    #expect(try ann.finish() == BoardProcess.Outcome())
  }

  @Test func `answered changes exist after the program was killed`() throws {
    let ann = try board("Ann")
    #expect(try ann.ask("add milk") == "added 1")
    ann.kill()
    let again = try board("Ann")
    try again.send("list", "wait")
    #expect(try again.finish().lines == ["1 todo milk", "1 card", "caught up at position 1"])
  }

  @Test func `after an error it continues`() throws {
    let ann = try board("Ann")
    try ann.send("frob", "remove 1", "add milk", "move 1 left")
    #expect(
      try ann.finish()
        == BoardProcess.Outcome(
          lines: ["added 1"],
          errors: [
            "error: unknown command \"frob\"; try help", "error: there is no card 1",
            "error: \"left\" is not todo, doing, done, up or down",
          ]
        )
    )
  }

  @Test func `a name is used by one program at a time`() throws {
    let ann = try board("Ann")
    #expect(try ann.ask("status") != nil)
    let other = try board("Ann").finish()
    #expect(other.lines == [])
    #expect(other.status == 1)
    #expect(other.errors.first?.hasPrefix("board: Ann already has a board open: board (process ") == true)
    #expect(other.errors.first?.hasSuffix("Close it, or pass another name with --name.") == true)
    #expect(try ann.finish().status == 0)
  }

  @Test func `a missing log is reported at the end`() throws {
    let ann = try board("Ann")
    try ann.send("add milk", "wait")
    _ = try ann.finish()
    try FileManager.default.removeItem(at: folder.url.appending(path: "log"))
    let again = try board("Ann")
    try again.send("add bread", "wait", "list")
    let outcome = try again.finish()
    #expect(outcome.lines == ["added 2", "1 todo milk", "2 todo bread", "2 cards"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.first
        == "error: sync has stopped: the log of this store is gone, or another log has taken its place"
    )
    #expect(outcome.errors.last?.hasSuffix("Kept on this machine, but not sent: 1 change") == true)
  }

  @Test(arguments: [["--frob"], ["--log", "mysql://db"], ["--name"], ["list"]])
  func `invalid arguments are answered with the usage`(arguments: [String]) throws {
    let process = try BoardProcess(arguments)
    let outcome = try process.finish()
    #expect(outcome.status == 2)
    #expect(outcome.lines == [])
    #expect(outcome.errors.first?.hasPrefix("board: ") == true)
    #expect(
      outcome.errors.dropFirst().first
        == "usage: board [--name NAME] [--log postgres://… [--owner ROLE]] [--folder PATH]")
  }

  @Test func `help lists the options and the commands`() throws {
    let outcome = try BoardProcess("--help").finish()
    #expect(outcome.status == 0)
    #expect(outcome.lines.first == "usage: board [--name NAME] [--log postgres://… [--owner ROLE]] [--folder PATH]")
    #expect(outcome.lines.last == "quit               ends the program")
  }

  @Test func `a folder that cannot be created is named`() throws {
    let outcome = try BoardProcess("--folder", "/dev/null/board", "--name", "Ann").finish()
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.contains("/dev/null/board") == true)
  }
}
