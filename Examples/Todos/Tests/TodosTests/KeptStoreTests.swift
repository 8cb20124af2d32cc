import Arbor
import ArborPersistence
import Foundation
import Testing

@testable import TodosCore

/// The list in its folder.
struct KeptStoreTests {
  private let folder: TemporaryFolder
  private let actions: [ListAction] = [
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

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a folder with a list, and returns the list before and after each change.
  private func write(_ name: String) async throws -> [ListState] {
    let (factory, _) = try await makeKeptStore(in: folder.path(name)) { _ in }
    var states = [factory.state.list]
    for action in actions {
      await factory.dispatchAndWait(.list(action))
      states.append(factory.state.list)
    }
    return states
  }

  @Test func `the written list is read, truncated at any byte`() async throws {
    let states = try await write("whole")
    let bytes = try folder.read("whole/2.log")
    var count = 0
    for length in 0...bytes.count {
      let name = "first \(length) bytes"
      try folder.copy("whole", to: name)
      _ = try folder.write(bytes.prefix(length), to: "\(name)/2.log")
      var notes: [String] = []
      let list = try await makeKeptStore(in: folder.path(name)) { notes.append($0) }.factory.state.list
      if count + 1 < states.count, list == states[count + 1] { count += 1 }
      #expect(list == states[count])
      #expect(notes.allSatisfy { $0.hasPrefix("2.log is incomplete from byte ") })
    }
    #expect(count == actions.count)
  }

  @Test func `a change is a readable line`() async throws {
    _ = try await write("list")
    let text = String(decoding: try folder.read("list/2.log"), as: UTF8.self)
    #expect(text.contains(##"{"add":{"id":1,"text":"Buy \"milk\"\n/ and brød"}}"## + "\n"))
    #expect(text.contains(#"{"import":{"firstID":2,"texts":["b","c"]}}"# + "\n"))
    #expect(text.contains(#"{"undo":{"id":2}}"# + "\n"))
  }

  @Test func `an action that does not change the list is not written`() async throws {
    let (factory, storage) = try await makeKeptStore(in: folder.path("list")) { _ in }
    await factory.dispatchAndWait(.list(actions[0]))
    let bytes = try folder.read("list/2.log")
    await factory.dispatchAndWait(.filter(.show(.done)))
    await factory.dispatchAndWait(.statistics(.show))
    try await storage.flush()
    #expect(try folder.read("list/2.log") == bytes)
  }

  @Test func `a snapshot contains the undo and redo history of the list`() async throws {
    for state in try await write("list") {
      let coding = LineCoding()
      #expect(try coding.decode(ListState.self, from: coding.encode(state)) == state)
    }
  }
}
