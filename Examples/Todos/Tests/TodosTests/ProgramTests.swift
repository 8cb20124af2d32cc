import Arbor
import Foundation
import Testing

@testable import TodosCore

/// The whole program, tested through its standard input with a real folder.
@Suite(.serialized)
struct ProgramTests {
  private let folder: TemporaryFolder
  private let list: String

  init() throws {
    folder = try TemporaryFolder()
    list = folder.path("list")
  }

  @Test func `commands are answered, one line each`() throws {
    let path = try folder.write("one\n\ntwo\n", to: "import.txt")
    let outcome = try TodosProcess.run(
      list,
      "add Buy milk",
      "add Write tests",
      "done 2",
      "list",
      "list active",
      "list done",
      "stats",
      "import \(path)",
      "undone 2",
      "remove 1",
      "undo",
      "undo",
      "undo",
      "redo",
      "list"
    )
    #expect(
      outcome
        == Outcome(
          lines: [
            "added 1", "added 2", "done 2",
            "[ ] 1 Buy milk", "[x] 2 Write tests", "1 of 2 done",
            "[ ] 1 Buy milk", "1 of 2 done",
            "[x] 2 Write tests", "1 of 2 done",
            "2 items, 1 done, 1 active",
            "imported 2 items", "undone 2", "removed 1", "undid 1", "undid 2", "undid 3",
            "redid 3",
            "[ ] 1 Buy milk", "[x] 2 Write tests", "[ ] 3 one", "[ ] 4 two", "1 of 4 done",
          ]
        )
    )
  }

  @Test func `quit ends the program, and ignores later commands`() throws {
    #expect(try TodosProcess.run(list, "quit", "add Buy milk") == Outcome())
  }

  @Test func `an edit is kept when saved, and discarded when canceled or left`() throws {
    let first = try TodosProcess.run(
      list, "add a", "add b", "edit 1", "text A", "save", "edit 2", "text B", "cancel", "list", "edit 2", "text B"
    )
    #expect(first == Outcome(lines: ["added 1", "added 2", "edited 1", "[ ] 1 A", "[ ] 2 b", "0 of 2 done"]))
    #expect(try TodosProcess.run(list, "list").lines == ["[ ] 1 A", "[ ] 2 b", "0 of 2 done"])
  }

  @Test func `an edit continues until a save is possible`() throws {
    let outcome = try TodosProcess.run(
      list, "add a", "text b", "save", "cancel", "edit 2", "edit 1", "edit 1", "text b", "remove 1", "save", "undo",
      "save"
    )
    #expect(outcome.lines == ["added 1", "removed 1", "undid 1", "edited 1"])
    #expect(
      outcome.errors == [
        "error: no item is being edited; try edit ID", "error: no item is being edited; try edit ID",
        "error: no item is being edited; try edit ID", "error: there is no item 2",
        "error: item 1 is being edited; save or cancel it first", "error: there is no item 1",
      ]
    )
  }

  @Test func `after an error the program continues, and nothing is lost`() throws {
    let nowhere = folder.path("nowhere")
    let outcome = try TodosProcess.run(
      list, "add a", "frob", "done", "done 7", "import \(nowhere)", "undo", "undo", "redo", "redo", "undo",
      "add b", "list"
    )
    #expect(outcome.lines == ["added 1", "undid 1", "redid 1", "undid 1", "added 2", "[ ] 2 b", "0 of 1 done"])
    #expect(
      outcome.errors == [
        "error: unknown command \"frob\"; try help", "error: done needs an ID", "error: there is no item 7",
        "error: \(nowhere): No such file or directory", "error: there is nothing to undo",
        "error: there is nothing to redo",
      ]
    )
    #expect(outcome.status == 0)
  }

  @Test func `after a restart IDs are not used again, and the undo history is kept`() throws {
    _ = try TodosProcess.run(list, "add a", "add b", "add c", "done 1", "undo", "remove 3", "add d", "undo")
    let outcome = try TodosProcess.run(list, "add e", "undo", "undo", "list", "add f")
    #expect(
      outcome.lines == [
        "added 5", "undid 5", "undid 3", "[ ] 1 a", "[ ] 2 b", "[ ] 3 c", "0 of 3 done", "added 6",
      ]
    )
  }

  @Test func `a program killed at any moment has stored everything that it answered`() throws {
    let todos = try TodosProcess(arguments: [list])
    try todos.send((1...2000).map { "add Item \($0)" })
    for id in 1...100 {
      #expect(todos.nextLine() == "added \(id)")
    }
    todos.kill()
    var answered = 100
    while let line = todos.nextLine() {
      answered += 1
      #expect(line == "added \(answered)")
    }

    let lines = try TodosProcess.run(list, "list").lines
    #expect(lines.count > answered)
    #expect(lines.dropLast() == ArraySlice((1..<lines.count).map { "[ ] \($0) Item \($0)" }))
    #expect(try TodosProcess.run(list, "add one more").lines == ["added \(lines.count)"])
  }

  /// Leaves a list like a program that is killed after it has answered some commands.
  private func leaveKilled(_ commands: String...) throws {
    let todos = try TodosProcess(arguments: [list])
    try todos.send(commands)
    for _ in commands { #expect(todos.nextLine() != nil) }
    todos.kill()
    while todos.nextLine() != nil {}
  }

  @Test func `a damaged list is reported, used up to the damage, and kept under another name`() throws {
    try leaveKilled("add a", "add b", "add c", "done 1")
    var bytes = try folder.read("list/2.log")
    let end = try #require(bytes.range(of: Data(#"{"add":{"id":2,"text":"b"}}"#.utf8))).upperBound + 1
    let damaged = try #require(bytes.range(of: Data(#""text":"c""#.utf8))).lowerBound
    bytes[damaged] ^= 1
    _ = try folder.write(bytes, to: "list/2.log")
    let outcome = try TodosProcess.run(list, "list", "add d", "undo", "undo")
    #expect(outcome.lines == ["[ ] 1 a", "[ ] 2 b", "0 of 2 done", "added 3", "undid 3", "undid 2"])
    #expect(
      outcome.errors == [
        "todos: \(list): 2.log is damaged at byte \(end): everything from there on is lost",
        "todos: \(list): unreadable data is kept in 2.log.ac01805e.damaged",
      ]
    )
    #expect(try folder.read("list/2.log.ac01805e.damaged") == bytes)
    #expect(try TodosProcess.run(list, "list", "redo") == Outcome(lines: ["[ ] 1 a", "0 of 1 done", "redid 2"]))
  }

  @Test func `an unfinished end is dropped with a note`() throws {
    try leaveKilled("add a", "add b")
    let bytes = try folder.read("list/2.log")
    _ = try folder.write(bytes.dropLast(), to: "list/2.log")
    let whole = try #require(bytes.range(of: Data(#"{"add":{"id":1,"text":"a"}}"#.utf8))).upperBound + 1
    let outcome = try TodosProcess.run(list, "add b", "list")
    #expect(outcome.lines == ["added 2", "[ ] 1 a", "[ ] 2 b", "0 of 2 done"])
    #expect(outcome.errors == ["todos: \(list): 2.log is incomplete from byte \(whole) on: the rest is ignored"])
    #expect(try TodosProcess.run(list, "stats") == Outcome(lines: ["2 items, 0 done, 2 active"]))
  }

  @Test func `a program without changes leaves nothing incomplete at the end`() throws {
    for _ in 1...10 {
      #expect(try TodosProcess.run(list, "list", "stats").errors == [])
    }
  }

  @Test func `a hundred thousand lines are imported as one change`() throws {
    let path = try folder.write((1...100_000).map { "Item \($0)\n" }.joined(), to: "import.txt")
    let first = try TodosProcess.run(list, "import \(path)", "stats", "done 99999")
    #expect(first.lines == ["imported 100000 items", "100000 items, 0 done, 100000 active", "done 99999"])
    let second = try TodosProcess.run(list, "list done", "undo", "undo", "stats", "add a")
    #expect(
      second.lines == [
        "[x] 99999 Item 99999", "1 of 100000 done", "undid 99999", "undid 1", "0 items, 0 done, 0 active",
        "added 100001",
      ]
    )
  }

  @Test func `an import can be canceled, and everything it reads afterward is lost`() throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let todos = try TodosProcess(arguments: [list])
    // Nothing is written to the pipe: the import continues until it is canceled.
    try todos.send(["cancel-import", "import \(pipe)", "cancel-import", "add a", "list"])
    let outcome = try todos.finish()
    #expect(outcome.lines == ["import canceled", "added 1", "[ ] 1 a", "0 of 1 done"])
    #expect(outcome.errors == ["error: nothing is being imported"])
    #expect(outcome.status == 0)
  }

  @Test(arguments: ["list.jsonl", "/dev/null"])
  func `a path that isn't a folder is refused and not changed`(name: String) throws {
    let line = #"{"add":{"id":1,"text":"a"}}"# + "\n"
    _ = try folder.write(line, to: "list.jsonl")
    let path = name.hasPrefix("/") ? name : folder.path(name)
    #expect(
      try TodosProcess.run(path, "add a")
        == Outcome(errors: ["todos: could not create \(path): Not a directory"], status: 2)
    )
    #expect(try folder.read("list.jsonl") == Data(line.utf8))
  }

  @Test func `the file of an older version is mentioned once, and not changed`() throws {
    let file = try folder.write("anything", to: "todos.jsonl")
    let note = "todos: todos.jsonl was written by an older version, and this version cannot read it"
    for errors in [[note], []] {
      let todos = try TodosProcess(arguments: [], in: folder.path("."))
      #expect(try todos.finish() == Outcome(errors: errors))
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "anything")
  }

  @Test func `an unusable folder is named`() throws {
    let nowhere = "/dev/null/list"
    let outcome = try TodosProcess.run(nowhere, "add a")
    #expect(outcome == Outcome(errors: ["todos: could not create \(nowhere): Not a directory"], status: 2))
  }

  @Test func `a change that cannot be written is not answered, and ends the program`() throws {
    _ = try TodosProcess.run(list, "add a")
    let todos = try TodosProcess(arguments: [list], mayWriteFiles: false)
    try todos.send(["list", "add b", "list"])
    let outcome = try todos.finish()
    #expect(outcome.lines == ["[ ] 1 a", "0 of 1 done"])
    let reason = "could not write \(list)/4.log: File too large"
    #expect(outcome.errors == ["todos: the change was not made, because it could not be stored: \(reason)"])
    #expect(outcome.status == 2)
    // The log that could not be written exists, and is empty.
    let next = try TodosProcess.run(list, "list")
    #expect(next.lines == ["[ ] 1 a", "0 of 1 done"])
    #expect(next.errors == ["todos: \(list): 4.log is incomplete from byte 0 on: the rest is ignored"])
  }

  @Test func `if even the first file cannot be written, nothing is answered`() throws {
    let todos = try TodosProcess(arguments: [list], mayWriteFiles: false)
    try todos.send(["list"])
    let outcome = try todos.finish()
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("todos: could not write \(list)/") == true)
    #expect(outcome.lines.isEmpty && outcome.status == 2)
    #expect(try TodosProcess.run(list, "list") == Outcome(lines: ["0 of 0 done"]))
  }

  @Test func `two programs cannot use one list at once`() throws {
    let first = try TodosProcess(arguments: [list])
    try first.send(["add a"])
    #expect(first.nextLine() == "added 1")
    let second = try TodosProcess.run(list, "add b")
    #expect(second.errors.count == 1)
    #expect(
      second.errors.first?.hasPrefix("todos: could not lock \(list)/lock: it is in use by todos (process ") == true
    )
    #expect(second.lines.isEmpty && second.status == 2)
    #expect(try first.finish() == Outcome())
  }

  @Test func `too many arguments, or an option, are answered with the usage`() throws {
    let usage = "usage: todos [--log] [--metrics] [FOLDER]"
    for arguments in [[list, list], ["--wrong"], ["--log", "--log=no", list]] {
      let outcome = try TodosProcess(arguments: arguments).finish()
      #expect(outcome.errors.first == usage)
      #expect(outcome.status == 2)
      #expect(outcome.lines.isEmpty)
    }
    let help = try TodosProcess(arguments: ["--help"]).finish()
    #expect(help.lines.first == usage)
    #expect(help.status == 0)
  }

  @Test func `control characters in a list are shown, not executed`() async throws {
    let texts = ["a\n[x] 2 forged", "b\u{1b}[2J\u{202e}c\u{85}\u{2028}\u{2066}d\u{7f}"]
    let (factory, _) = try await makeKeptStore(in: folder.path("open")) { _ in }
    await factory.dispatchAndWait(.list(.import(firstID: 1, texts: texts)))
    try folder.copy("open", to: "list")
    let nowhere = folder.path("\u{1B}c")
    let outcome = try TodosProcess.run(list, "list", "import \(nowhere)")
    #expect(
      outcome
        == Outcome(
          lines: [
            #"[ ] 1 a\n[x] 2 forged"#, #"[ ] 2 b\u{1B}[2J\u{202E}c\u{0085}\u{2028}\u{2066}d\u{7F}"#, "0 of 2 done",
          ],
          errors: [#"error: \#(folder.path(#"\u{1B}c"#)): No such file or directory"#]
        )
    )
  }

  @Test func `events are logged, and counted at the end, in addition to the answers`() throws {
    let todos = try TodosProcess(arguments: ["--log", list, "--metrics"])
    try todos.send(["add Buy milk", "done 1", "list active", "edit 1", "text Buy tea", "save", "undo"])
    let outcome = try todos.finish()
    #expect(outcome.lines == ["added 1", "done 1", "1 of 1 done", "edited 1", "undid 1"])
    #expect(outcome.status == 0)
    let actions = outcome.errors.filter { $0.contains(": .") }
    #expect(actions.map { String($0.split(separator: " ")[2]) }.prefix(2) == [".list(.add(id:", ".list(.done(id:"])
    #expect(outcome.errors.contains("  list.items.document.todos[1].isDone: false → true"))
    let counts = outcome.errors.map { $0.split(separator: " ").map(String.init) }.filter { $0.count == 8 }
    #expect(counts.contains(["list", "4", "4", "0", "0", "0", "0", "0"]))
    #expect(counts.contains(["editor", "1", "1", "0", "0", "0", "0", "0"]))
    #expect(counts.contains(["all", "6", "6", "0", "0", "0", "0", "0"]))
  }
}
