import BoardCore
import Testing

@Suite("Commands")
struct CommandTests {
  @Test(arguments: [
    ("add milk and bread ", Command.add("milk and bread")), ("  add  x", .add("x")), ("list", .list),
    ("move 2 doing", .move(2, .column(.doing))), ("move 12 up", .move(12, .up)), ("move 1 down ", .move(1, .down)),
    ("edit 3 a  b", .edit(3, text: "a  b")), ("assign 3 Ben", .assign(3, to: "Ben")), ("assign 3", .assign(3, to: nil)),
    ("remove 4", .remove(4)), ("wait", .wait(position: 0)), ("wait 7", .wait(position: 7)), ("status", .status),
    ("help", .help), ("quit", .quit), ("add a\u{1B}[2J", .add("a [2J")),
  ])
  func `a line is a command`(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test(arguments: ["", "   ", "\t"])
  func `a blank line is not a command`(line: String) throws {
    #expect(try Command(line) == nil)
  }

  @Test(arguments: [
    ("frob", CommandError.unknown("frob")), ("Add x", .unknown("Add")), ("add", .missing("text", command: "add")),
    ("edit", .missing("a number", command: "edit")), ("edit 1", .missing("text", command: "edit")),
    ("edit x y", .notANumber("x")), ("move 1", .missing("a column", command: "move")),
    ("move 1 Done", .notATarget("Done")), ("remove -1", .notANumber("-1")),
    ("remove 99999999999999999999", .notANumber("99999999999999999999")),
    ("list all", .unexpected("all", command: "list")), ("remove 1 2", .unexpected("2", command: "remove")),
  ])
  func `a problem in a line is reported`(line: String, error: CommandError) {
    #expect(throws: error) { try Command(line) }
  }
}
