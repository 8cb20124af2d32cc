import Arbor
import ArborEntities
import ArborUI
import SwiftUI
import Testing

@testable import TodosApp

/// Checks that each view can be drawn.
@MainActor
struct PreviewTests {
  @Test func `the program shows its list, the same in each window`() throws {
    let window = try #require(TodosApp().body as? WindowGroup<TodoListView>)
    _ = window.content.body
    window.content.store.send(.add)
    #expect(window.content.store.editor == .new)
  }

  @Test func `each preview is drawn`() {
    _ = TodoListPreviews.previews.body
    _ = TodoRowPreviews.previews.body
    _ = FilterPickerPreviews.previews.body
    _ = HistoryButtonsPreviews.previews
    _ = EditorPreviews.previews.body
    _ = ImportProgressPreviews.previews.body
  }
}
