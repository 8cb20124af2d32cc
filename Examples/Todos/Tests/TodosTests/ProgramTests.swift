import Foundation
import Testing

/// The whole program, driven through its standard input against a real file.
@Suite(.serialized)
struct ProgramTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("todos.jsonl")
  }

  @Test func `commands are answered, one line each`() throws {
    let path = try folder.write("one\n\ntwo\n", to: "import.txt")
    let outcome = try TodosProcess.run(
      file,
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

  @Test func `quit ends the program, whatever follows`() throws {
    #expect(try TodosProcess.run(file, "quit", "add Buy milk") == Outcome())
  }

  @Test func `an edit is kept when saved, and forgotten when cancelled or left`() throws {
    let first = try TodosProcess.run(
      file, "add a", "add b", "edit 1", "text A", "save", "edit 2", "text B", "cancel", "list", "edit 2", "text B"
    )
    #expect(first == Outcome(lines: ["added 1", "added 2", "edited 1", "[ ] 1 A", "[ ] 2 b", "0 of 2 done"]))
    #expect(try TodosProcess.run(file, "list").lines == ["[ ] 1 A", "[ ] 2 b", "0 of 2 done"])
  }

  @Test func `an edit waits for a save that is possible`() throws {
    let outcome = try TodosProcess.run(
      file, "add a", "text b", "save", "cancel", "edit 2", "edit 1", "edit 1", "text b", "remove 1", "save", "undo",
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

  @Test func `after an error it goes on, and nothing is lost`() throws {
    let nowhere = folder.path("nowhere")
    let outcome = try TodosProcess.run(
      file, "add a", "frob", "done", "done 7", "import \(nowhere)", "undo", "undo", "redo", "redo", "undo",
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

  @Test func `IDs are not used again after a restart, nor is what can be undone forgotten`() throws {
    _ = try TodosProcess.run(file, "add a", "add b", "add c", "done 1", "undo", "remove 3", "add d", "undo")
    let outcome = try TodosProcess.run(file, "add e", "undo", "undo", "list", "add f")
    #expect(
      outcome.lines == [
        "added 5", "undid 5", "undid 3", "[ ] 1 a", "[ ] 2 b", "[ ] 3 c", "0 of 3 done", "added 6",
      ]
    )
  }

  @Test func `killed at any moment, it has everything that it answered`() throws {
    let todos = try TodosProcess(arguments: [file])
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

    let lines = try TodosProcess.run(file, "list").lines
    #expect(lines.count > answered)
    #expect(lines.dropLast() == ArraySlice((1..<lines.count).map { "[ ] \($0) Item \($0)" }))
    #expect(try TodosProcess.run(file, "add one more").lines == ["added \(lines.count)"])
  }

  @Test(arguments: [
    ("nonsense", "this is not JSON"),
    ("", "this is not JSON"),
    ("{}", "this is not a change of the list"),
    (#"{"done":{}}"#, #""id" is missing"#),
    (#"{"done":{"id":"1"}}"#, #""done.id" is of the wrong type"#),
    (#"{"done":{"id":9}}"#, "there is no item 9"),
    (#"{"add":{"id":1,"text":"again"}}"#, "the next item is 2, not 1"),
    (#"{"undo":{"id":2}}"#, "the last change was of item 1, not 2"),
  ])
  func `a damaged line is named, and the file left as it is`(line: String, reason: String) throws {
    let whole = #"{"add":{"id":1,"text":"a"}}"#
    _ = try folder.write("\(whole)\n\(line)\n\(whole)\nunfinished", to: "todos.jsonl")
    let before = try folder.read("todos.jsonl")
    #expect(
      try TodosProcess.run(file, "add b") == Outcome(errors: ["todos: \(file):2: \(reason)"], status: 2)
    )
    #expect(try folder.read("todos.jsonl") == before)
  }

  @Test func `an unfinished last line is dropped with a note`() throws {
    let whole = #"{"add":{"id":1,"text":"a"}}"#
    _ = try folder.write("\(whole)\n\(whole)", to: "todos.jsonl")
    let outcome = try TodosProcess.run(file, "add b", "list")
    #expect(outcome.lines == ["added 2", "[ ] 1 a", "[ ] 2 b", "0 of 2 done"])
    #expect(outcome.errors == ["todos: \(file):2: dropped an unfinished line"])
    #expect(try TodosProcess.run(file, "stats") == Outcome(lines: ["2 items, 0 done, 2 active"]))
  }

  @Test func `a hundred thousand lines are imported as one change`() throws {
    let path = try folder.write((1...100_000).map { "Item \($0)\n" }.joined(), to: "import.txt")
    let first = try TodosProcess.run(file, "import \(path)", "stats", "done 99999")
    #expect(first.lines == ["imported 100000 items", "100000 items, 0 done, 100000 active", "done 99999"])
    let second = try TodosProcess.run(file, "list done", "undo", "undo", "stats", "add a")
    #expect(
      second.lines == [
        "[x] 99999 Item 99999", "1 of 100000 done", "undid 99999", "undid 1", "0 items, 0 done, 0 active",
        "added 100001",
      ]
    )
  }

  @Test func `an import can be cancelled, and what it reads then is lost`() throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let todos = try TodosProcess(arguments: [file])
    // Nobody writes to the pipe: the import goes on until it is cancelled.
    try todos.send(["cancel-import", "import \(pipe)", "cancel-import", "add a", "list"])
    let outcome = try todos.finish()
    #expect(outcome.lines == ["import cancelled", "added 1", "[ ] 1 a", "0 of 1 done"])
    #expect(outcome.errors == ["error: nothing is being imported"])
    #expect(outcome.status == 0)
  }

  @Test func `a file that cannot be used is named`() throws {
    let nowhere = folder.path("nowhere/todos.jsonl")
    let outcome = try TodosProcess.run(nowhere, "add a")
    #expect(outcome == Outcome(errors: ["todos: \(nowhere): No such file or directory"], status: 2))
  }

  @Test func `what cannot be written is not answered, and ends the program`() throws {
    let todos = try TodosProcess(arguments: [file], mayWriteFiles: false)
    try todos.send(["list", "add a", "list"])
    #expect(
      try todos.finish() == Outcome(lines: ["0 of 0 done"], errors: ["todos: \(file): File too large"], status: 2)
    )
    #expect(try TodosProcess.run(file, "list") == Outcome(lines: ["0 of 0 done"]))
  }

  @Test func `two programs do not use one file at once`() throws {
    let first = try TodosProcess(arguments: [file])
    try first.send(["add a"])
    #expect(first.nextLine() == "added 1")
    let second = try TodosProcess.run(file, "add b")
    #expect(second == Outcome(errors: ["todos: \(file): another todos uses this file"], status: 2))
    #expect(try first.finish() == Outcome())
  }

  @Test func `too many arguments, or an option, are answered with the usage`() throws {
    let usage = "usage: todos [--log] [--metrics] [FILE]"
    for arguments in [[file, file], ["--wrong"], ["--log", "--log=no", file]] {
      let outcome = try TodosProcess(arguments: arguments).finish()
      #expect(outcome.errors.first == usage)
      #expect(outcome.status == 2)
      #expect(outcome.lines.isEmpty)
    }
    let help = try TodosProcess(arguments: ["--help"]).finish()
    #expect(help.lines.first == usage)
    #expect(help.status == 0)
  }

  @Test func `a file of something else is refused and left as it is`() throws {
    let note = "a note without a line end"
    try note.write(toFile: file, atomically: true, encoding: .utf8)
    let reason = "todos: \(file):1: not the beginning of a change"
    #expect(try TodosProcess.run(file, "add a") == Outcome(errors: [reason], status: 2))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == note)
    #expect(
      try TodosProcess.run("/dev/null", "add a") == Outcome(errors: ["todos: /dev/null: not a regular file"], status: 2)
    )
  }

  @Test func `what a file does to a terminal is shown, not done`() throws {
    _ = try folder.write(
      #"{"add":{"id":1,"text":"a\n[x] 2 forged"}}"# + "\n"
        + #"{"add":{"id":2,"text":"b\u001b[2J\u202ec\u0085\u2028\u2066d\u007f"}}"# + "\n",
      to: "todos.jsonl"
    )
    let nowhere = folder.path("\u{1B}c")
    let outcome = try TodosProcess.run(file, "list", "import \(nowhere)")
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

  @Test func `what happens is logged, and counted at the end, beside the answers`() throws {
    let todos = try TodosProcess(arguments: ["--log", file, "--metrics"])
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
