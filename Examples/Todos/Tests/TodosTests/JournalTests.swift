import Foundation
import Testing

@testable import TodosCore

@Suite struct JournalTests {
  @Test func `what was appended is what is read, cut off after any byte`() throws {
    let folder = try TemporaryFolder()
    let actions: [ListAction] = [
      .add(id: 1, text: "Buy \"milk\"\n/ and brød"),
      .import(firstID: 2, texts: ["b", "c"]),
      .done(id: 3),
      .edit(id: 1, text: ""),
      .undone(id: 3),
      .remove(id: 2),
      .undo(id: 2),
      .redo(id: 2),
      .undo(id: 2),
    ]
    var states = [ListState()]
    do {
      let journal = try Journal(path: folder.path("whole"))
      for action in actions {
        try journal.append(action)
        var state = try #require(states.last)
        listReducer(&state, action)
        states.append(state)
      }
    }

    let bytes = try folder.read("whole")
    let newline = UInt8(ascii: "\n")
    #expect(bytes.count { $0 == newline } == actions.count)
    for length in 0...bytes.count {
      let written = bytes.prefix(length)
      let name = "first \(length) bytes"
      let path = folder.path(name)
      try written.write(to: URL(fileURLWithPath: path))
      var notes: [String] = []
      let list = try Journal(path: path).replay { notes.append($0) }

      let lines = written.count { $0 == newline }
      #expect(list == states[lines])
      let isWhole = written.isEmpty || written.last == newline
      #expect(notes == (isWhole ? [] : ["\(path):\(lines + 1): dropped an unfinished line"]))
      #expect(try folder.read(name) == written.prefix(wholeLength(of: written)))
    }
  }

  /// The length of the lines that have their end.
  private func wholeLength(of bytes: Data) -> Int {
    (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
  }
}
