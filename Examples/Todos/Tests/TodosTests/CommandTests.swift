import Testing

@testable import TodosCore

@Suite struct CommandTests {
  @Test(arguments: [
    ("add Buy  milk", Command.add("Buy  milk")),
    ("  add \t Buy milk ", .add("Buy milk")),
    ("done 1", .done(1)),
    ("undone 2", .undone(2)),
    ("remove 3", .remove(3)),
    ("list", .list(.all)),
    ("list all", .list(.all)),
    ("list active", .list(.active)),
    ("list done", .list(.done)),
    ("stats", .stats),
    ("edit 4", .edit(4)),
    ("text Buy bread", .text("Buy bread")),
    ("save", .save),
    ("cancel", .cancel),
    ("import some file.txt", .import("some file.txt")),
    ("cancel-import", .cancelImport),
    ("undo", .undo),
    ("redo", .redo),
    ("help", .help),
    ("quit", .quit),
  ])
  func `a line is a command`(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test func `a blank line is not a command`() throws {
    #expect(try Command("") == nil)
    #expect(try Command(" \t") == nil)
  }

  @Test(arguments: [
    ("frob 1", CommandError.unknown("frob")),
    ("add", .missing("text", command: "add")),
    ("add  ", .missing("text", command: "add")),
    ("done", .missing("an ID", command: "done")),
    ("done one", .notAnID("one")),
    ("done 1 2", .notAnID("1 2")),
    ("list some", .notAFilter("some")),
    ("import", .missing("a path", command: "import")),
    ("quit now", .unexpected("now", command: "quit")),
  ])
  func `an invalid command gives the reason`(line: String, error: CommandError) {
    #expect(throws: error) { try Command(line) }
  }
}
