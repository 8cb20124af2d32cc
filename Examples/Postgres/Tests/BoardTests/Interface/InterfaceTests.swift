import Testing

@testable import BoardCore

@Suite("The interface")
struct InterfaceTests {
  /// Presses keys, applies their changes, and returns the requests.
  @discardableResult
  private func press(_ keys: Key..., on board: inout Board, _ interface: inout Interface) -> [Request] {
    var requests: [Request] = []
    for key in keys {
      guard let request = interface.press(key, on: board, names: ["Ann", "Ben", "Cleo"]) else { continue }
      requests.append(request)
      guard case .change(let change) = request else { continue }
      let old = board
      let signature = Signature.number(100 + board.cards.count + requests.count)
      board.apply(change, signature)
      interface.follow(board, after: old)
      interface.follow(BoardAction(change, by: signature))
    }
    return requests
  }

  private var (board, interface) = (Board.of("a", "b", "c"), Interface())

  private var selected: String? { interface.card(on: board)?.text }

  @Test mutating func `arrows and letters select`() {
    #expect(selected == "a")
    press(.arrow(.down), "j", "j", on: &board, &interface)
    #expect(selected == "c")
    press("g", on: &board, &interface)
    #expect(selected == "a")
    press("G", .arrow(.up), on: &board, &interface)
    #expect(selected == "b")
    press(.pageDown, on: &board, &interface)
    #expect(selected == "c")
    press(.pageUp, .arrow(.right), .arrow(.down), on: &board, &interface)
    #expect(selected == nil)
    #expect(interface.column == .doing)
    press(.tab, .tab, on: &board, &interface)
    #expect(selected == "a")
    press(.backTab, .backTab, .backTab, .arrow(.left), on: &board, &interface)
    #expect(interface.column == .todo)
  }

  @Test mutating func `a card is moved, and stays selected`() {
    press("J", on: &board, &interface)
    #expect(board.texts(in: .todo) == ["b", "a", "c"])
    press("J", "J", on: &board, &interface)
    #expect(board.texts(in: .todo) == ["b", "c", "a"])
    press("K", on: &board, &interface)
    #expect(board.texts(in: .todo) == ["b", "a", "c"])
    press(.arrow(.right, isShifted: true), "L", "L", on: &board, &interface)
    #expect(board.texts(in: .done) == ["a"])
    #expect(interface.column == .done)
    #expect(selected == "a")
    press("H", on: &board, &interface)
    #expect(board.texts(in: .doing) == ["a"])
  }

  @Test mutating func `a card is added to the column, and selected`() {
    let requests = press("l", "a", "q", "d", " ", .enter, on: &board, &interface)
    #expect(requests == [.change(.add("qd", to: .doing))])
    #expect(selected == "qd")
    #expect(interface.mode == .browsing)
  }

  @Test mutating func `nothing is added for a blank or canceled text`() {
    #expect(press("a", " ", .enter, "a", "x", .escape, "a", "x", .control("c"), on: &board, &interface) == [])
    #expect(interface.mode == .browsing)
  }

  @Test mutating func `pasted text is typed, and is not a command`() {
    press(.paste("q\rd"), on: &board, &interface)
    #expect(interface.mode == .typing(TextField("q d"), .add(.todo)))
  }

  @Test mutating func `a text is edited, and unchanged if nothing was typed`() {
    #expect(press("e", .enter, on: &board, &interface) == [])
    #expect(press("e", .control("u"), .enter, on: &board, &interface) == [])
    #expect(press(.enter, "!", .enter, on: &board, &interface) == [.change(.edit(.number(1), text: "a!"))])
  }

  @Test mutating func `a text is not lost if the card was removed while it was typed`() {
    press("e", "!", on: &board, &interface)
    board.apply(.remove(.number(1)), .number(9, by: "Ben"))
    #expect(press(.enter, on: &board, &interface) == [.change(.add("a!", to: .todo))])
  }

  @Test mutating func `a card is assigned to oneself, to the next name, or to no one`() {
    #expect(press("s", .enter, on: &board, &interface) == [.change(.assign(.number(1), to: "Ann"))])
    #expect(press("s", .tab, .enter, on: &board, &interface) == [.change(.assign(.number(1), to: "Ben"))])
    #expect(press("s", .tab, .tab, .enter, on: &board, &interface) == [.change(.assign(.number(1), to: "Ann"))])
    #expect(press("s", .control("u"), .enter, on: &board, &interface) == [.change(.assign(.number(1), to: nil))])
    board.apply(.remove(.number(1)), .number(9, by: "Ben"))
  }

  @Test mutating func `a card is removed after a confirmation`() {
    #expect(press("d", "n", "d", .enter, "d", .paste("y"), on: &board, &interface) == [])
    #expect(press("x", "y", on: &board, &interface) == [.change(.remove(.number(1)))])
    #expect(selected == "b")
  }

  @Test mutating func `the neighbor is selected when another client removes the card`() {
    press("j", on: &board, &interface)
    let old = board
    board.apply(.move(.number(2), to: .done, before: nil), .number(9, by: "Ben"))
    interface.follow(board, after: old)
    #expect(selected == "c")
    #expect(interface.column == .todo)
    let before = board
    board.apply(.remove(.number(3)), .number(10, by: "Ben"))
    interface.follow(board, after: before)
    #expect(selected == "a")
  }

  @Test mutating func `keys for cards do nothing in an empty column`() {
    board = Board()
    #expect(press("e", "s", "d", "J", "K", "H", "L", "j", "g", "G", .enter, on: &board, &interface) == [])
    #expect(interface.mode == .browsing)
  }

  @Test mutating func `the program can be left, suspended and redrawn`() {
    #expect(press("q", .control("c"), on: &board, &interface) == [.quit, .quit])
    #expect(press("a", .control("l"), .control("z"), on: &board, &interface) == [.redraw, .suspend])
    #expect(press(.escape, "?", "q", on: &board, &interface) == [])
    #expect(interface.mode == .browsing)
  }
}
