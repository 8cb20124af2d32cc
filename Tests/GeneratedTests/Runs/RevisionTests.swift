import Arbor
import ArborEntities
import ArborTesting
import Testing

struct RevisionTests {
  @Test func `from change 2 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("", limit: 5)
        history.document = "ab"
        history.record(group: "typing")
        history.document = "abc"
        history.record(group: "typing", author: "Ann")
        history.endGroup()
        history.document = "abcd"
        history.record(group: "typing", author: "Ann")
        return history
      }(),
      songs: History([])
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) { $0.text.undo() }
    await store.finish()
  }

  @Test func `from change 4 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("", limit: 5)
        history.document = "ab"
        history.record(group: "typing")
        history.document = "abc"
        history.record(group: "typing", author: "Ann")
        history.endGroup()
        history.document = "abcd"
        history.record(group: "typing", author: "Ann")
        history.undo(by: "Ann") { document, _, _ in
          document = "merged"
          return true
        }
        history.redo(by: "Ann")
        return history
      }(),
      songs: History([])
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) { $0.text.undo() }
    await store.finish()
  }

  @Test func `from change 6 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("ab", limit: 5)
        history.document = "abc"
        history.record(group: "typing", author: "Ann")
        history.endGroup()
        history.document = "abcd"
        history.record(group: "typing", author: "Ann")
        history.undo(by: "Ann") { document, _, _ in
          document = "merged"
          return true
        }
        history.redo(by: "Ann")
        history.document = "e"
        history.record()
        history.go(to: 1)
        return history
      }(),
      songs: History([])
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) { $0.text.undo() }
    await store.finish()
  }

  @Test func `from change 7 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("ab", limit: 5)
        history.document = "abc"
        history.record(group: "typing", author: "Ann")
        history.endGroup()
        history.document = "abcd"
        history.record(group: "typing", author: "Ann")
        history.undo(by: "Ann") { document, _, _ in
          document = "merged"
          return true
        }
        history.redo(by: "Ann")
        history.document = "e"
        history.record()
        history.go(to: 1)
        history.document = "not recorded"
        return history
      }(),
      songs: History([])
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) { $0.text.undo() }
    await store.finish()
  }

  @Test func `from change 8 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("ab", limit: 5)
        history.document = "abc"
        history.record(group: "typing", author: "Ann")
        history.document = "not recorded"
        history.record()
        history.beginGroup("drag", author: "Bob")
        history.document = "f"
        history.record(group: "drag", author: "Bob")
        return history
      }(),
      songs: History([])
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) { $0.text.undo() }
    await store.finish()
  }

  @Test func `from change 12 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("ab", limit: 5)
        history.document = "abc"
        history.record(group: "typing", author: "Ann")
        history.document = "not recorded"
        history.record()
        history.document = "f"
        history.record(group: "drag", author: "Bob")
        history.undo()
        return history
      }(),
      songs: {
        var history = History([] as EntityTable<Song>)
        try! history.document.insert(Song(id: 1, title: "", download: JobState()))
        history.record()
        try! history.document.insert(Song(id: 2, title: "", download: JobState()))
        history.record(group: "songs")
        try! history.document.insert(2, at: 0, in: .named(#"up "next""#))
        history.record()
        return history
      }()
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) { $0.text.undo() }
    await store.finish()
  }

  @Test func `from change 13 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("ab", limit: 5)
        history.document = "abc"
        history.record(group: "typing", author: "Ann")
        history.document = "not recorded"
        history.record()
        history.document = "f"
        history.record(group: "drag", author: "Bob")
        history.undo()
        return history
      }(),
      songs: {
        var history = History([] as EntityTable<Song>)
        try! history.document.insert(Song(id: 1, title: "", download: JobState()))
        history.record()
        try! history.document.insert(Song(id: 2, title: "", download: JobState()))
        history.record(group: "songs")
        try! history.document.insert(2, at: 0, in: .named(#"up "next""#))
        history.record()
        history.undo()
        return history
      }()
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) {
      $0.text.undo()
      $0.songs?.redo()
    }
    await store.finish()
  }

  @Test func `from change 14 on`() async {
    let initialState = Revisions(
      text: {
        var history = History("abc", limit: 2)
        history.document = "not recorded"
        history.record()
        history.document = "f"
        history.record(group: "drag", author: "Bob")
        history.undo()
        history.limit = 1
        return history
      }(),
      songs: {
        var history = History([] as EntityTable<Song>)
        try! history.document.insert(Song(id: 1, title: "", download: JobState()))
        history.record()
        try! history.document.insert(Song(id: 2, title: "", download: JobState()))
        history.record(group: "songs")
        try! history.document.insert(2, at: 0, in: .named(#"up "next""#))
        history.record()
        history.undo()
        return history
      }()
    )
    let store = TestStore(initialState: initialState, feature: revisions)
    await store.send(.undo) {
      $0.text.undo()
      $0.songs?.redo()
    }
    await store.finish()
  }
}
