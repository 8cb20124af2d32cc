import Arbor
import ArborTesting
import Testing

struct DraftingTests {
  @Test func `all of it`() async {
    let initialState = Drafting(
      letter: History(Drafting.Letter(lines: [], isSigned: false), limit: 3),
      title: History("")
    )
    let store = TestStore(initialState: initialState, feature: drafting)
    await store.send(.letter(.typed("Dear"))) {
      $0.letter.document.lines = ["Dear"]
      $0.letter.record(group: "typing")
    }
    await store.send(.letter(.typed("Sir"))) {
      $0.letter.document.lines = ["Dear", "Sir"]
      $0.letter.record(group: "typing")
    }
    await store.send(.letter(.signed)) {
      $0.letter.document.isSigned = true
      $0.letter.record()
    }
    await store.send(.undo) { $0.letter.undo() }
    await store.send(.undo) { $0.letter.undo() }
    await store.send(.redo) { $0.letter.redo() }
    await store.send(.letter(.typed("Madam"))) {
      $0.letter.document.lines = ["Dear", "Sir", "Madam"]
      $0.letter.record(group: "typing")
    }
    await store.send(.letter(.typed("and"))) {
      $0.letter.document.lines = ["Dear", "Sir", "Madam", "and"]
      $0.letter.record(group: "typing")
    }
    await store.send(.letter(.typed("Sir"))) {
      $0.letter.document.lines = ["Dear", "Sir", "Madam", "and", "Sir"]
      $0.letter.record(group: "typing")
    }
    await store.send(.letter(.signed)) {
      $0.letter.document.isSigned = true
      $0.letter.record()
    }
    await store.send(.undo) { $0.letter.undo() }
    await store.send(.forget) { $0.letter.clear() }
    await store.send(.title("A")) {
      $0.title?.document = "A"
      $0.title?.record(group: "title")
    }
    await store.send(.title("Al")) {
      $0.title?.document = "Al"
      $0.title?.record(group: "title")
    }
    await store.send(.title("A")) {
      $0.title?.document = "A"
      $0.title?.record(group: "title")
    }
    await store.send(.title("")) {
      $0.title?.document = ""
      $0.title?.record(group: "title")
    }
    await store.send(.title("B")) {
      $0.title?.document = "B"
      $0.title?.record(group: "title")
    }
    await store.send(.undoTitle) { $0.title?.undo() }
    await store.send(.dropTitle) { $0.title = nil }
    await store.send(.letter(.typed("Dear"))) {
      $0.letter.document.lines = ["Dear", "Sir", "Madam", "and", "Sir", "Dear"]
      $0.letter.record(group: "typing")
    }
    await store.send(.letter(.signed)) {
      $0.letter.document.isSigned = true
      $0.letter.record()
    }
    await store.send(.amend("Hi")) {
      $0.letter = {
        var history = History(Drafting.Letter(lines: ["Hi", "Sir", "Madam", "and", "Sir"], isSigned: false), limit: 3)
        history.document.lines = ["Hi", "Sir", "Madam", "and", "Sir", "Dear"]
        history.record(group: "typing")
        history.document.isSigned = true
        history.record()
        return history
      }()
    }
    await store.send(.undo) { $0.letter.undo() }
    await store.send(.twice) {
      $0.letter = {
        var history = History(Drafting.Letter(lines: ["Hi", "Sir", "Madam", "and", "Sir"], isSigned: false), limit: 3)
        history.document.lines = ["Hi", "Sir", "Madam", "and", "Sir", "Dear"]
        history.record(group: "typing")
        history.document.lines = ["Hi", "Sir", "Madam", "and", "Sir", "Dear", "one"]
        history.record()
        history.document.lines = ["Hi", "Sir", "Madam", "and", "Sir", "Dear", "one", "two"]
        history.record()
        return history
      }()
    }
    await store.send(.limit(2)) { $0.letter.limit = 2 }
    await store.send(.letter(.signed)) {
      $0.letter.document.isSigned = true
      $0.letter.record()
    }
    await store.send(.letter(.signed)) {
      $0.letter.document.isSigned = false
      $0.letter.record()
    }
    await store.send(.limit(1)) { $0.letter.limit = 1 }
    await store.send(.open("Hello")) {
      $0.letter.document.lines = ["Hello"]
      $0.letter.clear()
    }
    await store.send(.letter(.signed)) {
      $0.letter.document.isSigned = true
      $0.letter.record()
    }
    await store.send(.nothing)
    await store.finish()
  }
}
