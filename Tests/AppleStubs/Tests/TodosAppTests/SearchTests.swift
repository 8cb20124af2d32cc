import Arbor
import ArborEntities
import ArborTesting
import ArborUI
import SwiftUI
import Testing

@testable import TodosApp

@MainActor
struct SearchTests {
  let program = RunningProgram("Buy milk", "Buy bread", "Write tests")

  @Test func `the list follows the search after a pause in typing`() {
    let search = program.list.searchText
    let list = Redraws { [rows = program.list.rows] in _ = rows.ids }
    search.wrappedValue = "buy"
    #expect(search.wrappedValue == "buy")
    program.wait(.milliseconds(200))
    search.wrappedValue = "milk"
    program.wait(.milliseconds(299))
    #expect(program.shown.count == 3)
    #expect(list.count == 0)
    program.wait(.milliseconds(1))
    #expect(program.shown == ["Buy milk"])
    #expect(list.count == 1)
  }

  @Test func `an empty field shows everything immediately`() {
    program.list.searchText.wrappedValue = "milk"
    program.wait(.milliseconds(300))
    program.list.searchText.wrappedValue = "bre"
    program.list.searchText.wrappedValue = ""
    program.executor.run()
    #expect(program.shown.count == 3)
    #expect(program.clock.sleepers == 0)
  }

  @Test func `a changed item starts or stops matching`() {
    program.list.searchText.wrappedValue = "BUY"
    program.wait(.milliseconds(300))
    #expect(program.shown == ["Buy milk", "Buy bread"])
    program.store.send(.app(.list(.edit(id: 1, text: "Get milk"))))
    program.store.send(.app(.list(.edit(id: 3, text: "Buy tests"))))
    #expect(program.shown == ["Buy bread", "Buy tests"])
  }
}
