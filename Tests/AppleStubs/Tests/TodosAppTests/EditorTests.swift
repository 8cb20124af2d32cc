import Arbor
import ArborEntities
import ArborUI
import SwiftUI
import Testing

@testable import TodosApp

@MainActor
struct EditorTests {
  let program = RunningProgram("milk", "bread")

  /// The editor, as presented by the list.
  func editor() throws -> EditorView {
    program.list.editor(of: try #require(program.list.editedDraft.wrappedValue))
  }

  @Test func `an item is edited, and saved`() throws {
    try #require(program.list.rows[2]).send(.edit)
    let editor = try editor()
    #expect(editor.text.wrappedValue == "bread")
    editor.text.wrappedValue = "brown bread"
    #expect(program.shown == ["milk", "bread"])
    editor.editor.send(.save)
    #expect(program.shown == ["milk", "brown bread"])
    #expect(program.list.editedDraft.wrappedValue == nil)
  }

  @Test func `an item is added once it has a text`() throws {
    program.store.send(.add)
    let editor = try editor()
    #expect(editor.editor.isNew)
    editor.text.wrappedValue = " "
    #expect(!editor.editor.canBeSaved)
    editor.editor.send(.save)
    #expect(program.store.editor != nil)
    editor.text.wrappedValue = "salt"
    #expect(editor.editor.canBeSaved)
    editor.editor.send(.save)
    #expect(program.shown == ["milk", "bread", "salt"])
    #expect(program.store.editor == nil)
  }

  @Test func `the sheet is not presented again while the user types`() throws {
    program.store.send(.add)
    let sheet = Redraws { _ = program.list.editedDraft.wrappedValue }
    try editor().text.wrappedValue = "salt"
    #expect(sheet.count == 0)
    try editor().cancel()
    #expect(sheet.count == 1)
  }

  @Test func `a dismissed editor keeps its text, and changes nothing`() throws {
    try #require(program.list.rows[1]).send(.edit)
    let sheet = program.list.editedDraft
    let editor = try editor()
    editor.text.wrappedValue = "oat milk"
    sheet.wrappedValue = nil
    #expect(program.store.editor == nil)
    #expect(editor.text.wrappedValue == "oat milk")
    editor.text.wrappedValue = "no milk"
    editor.editor.send(.save)
    #expect(editor.text.wrappedValue == "oat milk")
    #expect(program.shown == ["milk", "bread"])
  }

  @Test func `a late dismissal does not close the next editor`() throws {
    try #require(program.list.rows[1]).send(.edit)
    let first = program.list.editedDraft
    try #require(program.list.rows[2]).send(.edit)
    first.wrappedValue = nil
    #expect(program.store.editor?.id == 2)
  }

  @Test func `a change of another item leaves the editor open`() throws {
    try #require(program.list.rows[1]).send(.edit)
    program.store.send(.app(.list(.edit(id: 2, text: "salt"))))
    program.store.send(.app(.list(.add(id: 3, text: "tea"))))
    program.store.send(.closeEditor(id: 2))
    #expect(program.store.editor?.id == 1)
  }

  @Test func `a deleted item is not saved`() throws {
    try #require(program.list.rows[1]).send(.edit)
    program.list.remove(at: [0])
    try editor().editor.send(.save)
    #expect(program.shown == ["bread"])
    #expect(program.store.editor?.text == "milk")
  }
}
