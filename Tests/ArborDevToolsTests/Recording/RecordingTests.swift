import Arbor
import ArborDevTools
import ArborTesting
import Testing

@Suite("Recording")
struct RecordingTests {
  typealias List = Recording<[Int], Int>

  /// The actions that were reduced.
  private let reduced = Lines()

  /// Makes a list to which each action adds itself, with a kept state for every third action.
  private func makeList(_ actions: ClosedRange<Int>? = nil, interval: Int = 3) throws -> List {
    var recording = List(initialState: [], checkpointInterval: interval) { [reduced] state, action in
      reduced.sink("\(action)")
      state.append(action)
    }
    if let actions { try recording.perform(Array(actions)) }
    reduced.removeAll()
    return recording
  }

  private func numbers(_ recording: List) -> [Int] { recording.entries.map(\.id) }

  // MARK: Performing

  @Test func `an index out of range stops the program with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Recording<Int, Int>(initialState: 0) { $0 += $1 }.entries[-1]
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Arbor: An action of a recording was read at an index that the recording doesn't have"))
  }

  @Test func `a new recording is at its base`() throws {
    let list = try makeList()
    #expect(list.count == 0)
    #expect(list.position == 0)
    #expect(list.state == [])
    #expect(list.base == [])
    #expect(list.entries.isEmpty)
  }

  @Test func `actions are reduced and numbered from 1, and the position follows them`() throws {
    var list = try makeList()
    #expect(try list.perform(10) == 1)
    #expect(try list.perform(20) == 2)
    #expect(list.state == [10, 20])
    #expect(list.position == 2)
    #expect(numbers(list) == [1, 2])
    #expect(list.entries.map(\.rootAction) == [10, 20])
    #expect(list.entries[1].id == 2)
    #expect(try list.entry(2).rootAction == 20)
  }

  @Test func `a position before the end stays the same when an action is performed`() throws {
    var list = try makeList(1...5)
    try list.jump(to: 2)
    try list.perform(6)
    #expect(list.position == 2)
    #expect(list.state == [1, 2])
    try list.jump(to: 6)
    #expect(list.state == [1, 2, 3, 4, 5, 6])
  }

  @Test func `only the new action is reduced`() throws {
    var list = try makeList(1...10)
    try list.perform(11)
    #expect(list.state == Array(1...11))
    #expect(reduced.all == ["11"])
  }

  // MARK: Jumping

  @Test(arguments: [1, 2, 3, 7, 100])
  func `each position has its state`(interval: Int) throws {
    let list = try makeList(1...20, interval: interval)
    for position in 0...20 { #expect(try list.state(at: position) == Array(1...20).prefix(position).map { $0 }) }
  }

  @Test func `a jump reduces at most the actions since a kept state`() throws {
    var list = try makeList(1...20)
    for position in 0...20 {
      reduced.removeAll()
      try list.jump(to: position)
      #expect(reduced.all.isEmpty)
      #expect(list.state.count == position)
      #expect(reduced.all.count < 3)
    }
  }

  @Test func `a recording can jump to an action and step back and forth`() throws {
    var list = try makeList(1...5)
    try list.jump(toAction: 3)
    #expect(list.state == [1, 2, 3])
    try list.step(by: -2)
    #expect(list.state == [1])
    try list.step(by: 3)
    #expect(list.state == [1, 2, 3, 4])
    try list.step(by: 0)
    #expect(list.position == 4)
  }

  @Test(arguments: [-1, 6, Int.min, Int.max])
  func `a position that does not exist is refused`(position: Int) throws {
    var list = try makeList(1...5)
    #expect(throws: RecordingError.noSuchPosition(position, count: 5)) { try list.jump(to: position) }
    #expect(throws: RecordingError.noSuchPosition(position, count: 5)) { _ = try list.state(at: position) }
    #expect(throws: RecordingError.self) { try list.step(by: position - 2 * position.signum()) }
    #expect(list.position == 5)
  }

  @Test(arguments: [0, -1, 6, Int.min, Int.max])
  func `an action that does not exist is refused`(number: Int) throws {
    var list = try makeList(1...5)
    let error = RecordingError.noSuchAction(number)
    #expect(throws: error) { try list.jump(toAction: number) }
    #expect(throws: error) { try list.toggle(number) }
    #expect(throws: error) { try list.move(number, before: nil) }
    #expect(throws: error) { try list.move(1, before: number) }
    #expect(throws: error) { _ = try list.entry(number) }
    #expect(list.state == [1, 2, 3, 4, 5])
  }

  // MARK: Changing the past

  @Test func `an action can be left out and taken in again`() throws {
    var list = try makeList(1...7)
    try list.toggle(2)
    #expect(try list.entry(2).isSkipped)
    #expect(list.state == [1, 3, 4, 5, 6, 7])
    #expect(try list.state(at: 2) == [1])
    try list.perform(8)
    #expect(list.state == [1, 3, 4, 5, 6, 7, 8])
    try list.toggle(2)
    #expect(list.state == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func `leaving an action out only reduces later ones`() throws {
    var list = try makeList(1...10)
    try list.toggle(8)
    #expect(list.state == [1, 2, 3, 4, 5, 6, 7, 9, 10])
    // Starts with the state that is kept after six actions.
    #expect(reduced.all == ["7", "9", "10"])
  }

  @Test func `leaving out many actions reduces nothing twice`() throws {
    var list = try makeList(1...30)
    try list.setActive(false, in: 1..<30)
    #expect(list.state == [30])
    #expect(reduced.all == ["30"])
  }

  @Test func `a range is left out without its end, and taken in again`() throws {
    var list = try makeList(1...6)
    try list.toggle(3)
    try list.setActive(false, in: 2..<5)
    #expect(list.state == [1, 5, 6])
    try list.setActive(true, in: 3..<100)
    #expect(list.state == [1, 3, 4, 5, 6])
  }

  @Test func `a range that begins with a swept action applies to the other ones`() throws {
    var list = try makeList(1...6)
    try list.toggle(2)
    list.sweep()
    try list.setActive(false, in: 2..<5)
    #expect(list.state == [1, 5, 6])
  }

  @Test(arguments: [0..<1, 7..<9, 3..<3, Int.min..<0])
  func `a range without actions is refused`(range: Range<Int>) throws {
    var list = try makeList(1...6)
    #expect(throws: RecordingError.noActions(in: range)) { try list.setActive(false, in: range) }
  }

  @Test func `actions that are left out are swept and forgotten`() throws {
    var list = try makeList(1...8)
    for number in [2, 3, 7] { try list.toggle(number) }
    try list.jump(toAction: 4)
    list.sweep()
    #expect(numbers(list) == [1, 4, 5, 6, 8])
    #expect(list.position == 2)
    #expect(list.state == [1, 4])
    try list.jump(to: 5)
    #expect(list.state == [1, 4, 5, 6, 8])
    #expect(throws: RecordingError.noSuchAction(2)) { try list.toggle(2) }
    #expect(try list.perform(9) == 9)
  }

  @Test func `sweep reduces nothing when nothing is left out`() throws {
    var list = try makeList(1...8)
    list.sweep()
    #expect(reduced.all.isEmpty)
    #expect(list.count == 8)
  }

  @Test func `actions can be reordered`() throws {
    var list = try makeList(1...6)
    try list.move(5, before: 2)
    #expect(list.state == [1, 5, 2, 3, 4, 6])
    try list.move(5, before: nil)
    #expect(list.state == [1, 2, 3, 4, 6, 5])
    try list.move(1, before: 5)
    #expect(numbers(list) == [2, 3, 4, 6, 1, 5])
    try list.toggle(6)
    try list.setActive(false, in: 1..<3)
    #expect(list.state == [3, 4, 5])
    try list.jump(toAction: 1)
    #expect(list.position == 5)
  }

  @Test func `moving an action to its own place reduces nothing`() throws {
    var list = try makeList(1...6)
    try list.move(2, before: 3)
    try list.move(2, before: 2)
    try list.move(6, before: nil)
    #expect(reduced.all.isEmpty)
    #expect(numbers(list) == [1, 2, 3, 4, 5, 6])
  }

  // MARK: The beginning

  @Test func `commit makes the state at the position the base`() throws {
    var list = try makeList(1...6)
    try list.jump(to: 4)
    list.commit()
    #expect(list.base == [1, 2, 3, 4])
    #expect(list.count == 0)
    #expect(try list.perform(7) == 7)
    #expect(list.state == [1, 2, 3, 4, 7])
  }

  @Test func `rollBack returns to the base, and reset to the very first state`() throws {
    var list = try makeList(1...6)
    list.commit()
    try list.perform(7)
    list.rollBack()
    #expect(list.state == [1, 2, 3, 4, 5, 6])
    #expect(list.count == 0)
    list.reset()
    #expect(list.state == [])
    #expect(list.base == [])
  }

  @Test func `the limit commits the oldest actions, and neither reduces nor forgets others`() throws {
    var list = try makeList(1...4)
    try list.setLimit(5)
    try list.perform([5, 6, 7, 8])
    #expect(numbers(list) == [4, 5, 6, 7, 8])
    #expect(list.base == [1, 2, 3])
    #expect(list.state == Array(1...8))
    #expect(list.position == 5)
    #expect(throws: RecordingError.noSuchAction(3)) { try list.toggle(3) }
  }

  @Test func `actions that are left out stay left out when they are committed`() throws {
    var list = try makeList(1...4)
    try list.toggle(2)
    try list.setLimit(2)
    #expect(list.base == [1])
    try list.perform(5)
    #expect(list.base == [1, 3])
    try list.toggle(4)
    #expect(list.state == [1, 3, 5])
  }

  @Test func `the limit keeps the state at the position, unless that is before the base`() throws {
    var list = try makeList(1...6)
    try list.jump(to: 4)
    try list.setLimit(5)
    #expect(list.position == 3)
    #expect(list.state == [1, 2, 3, 4])
    try list.setLimit(2)
    #expect(list.position == 0)
    #expect(list.state == [1, 2, 3, 4])
    try list.perform(7)
    #expect(list.position == 0)
    #expect(list.state == [1, 2, 3, 4, 5])
  }

  @Test func `the past can be changed after the oldest actions were committed`() throws {
    var list = try makeList(1...8)
    try list.setLimit(4)
    try list.toggle(6)
    try list.move(8, before: 5)
    #expect(list.state == [1, 2, 3, 4, 8, 5, 7])
    list.sweep()
    #expect(list.base == [1, 2, 3, 4])
    #expect(numbers(list) == [8, 5, 7])
  }

  @Test(arguments: [1, 0, -1, Int.min])
  func `a limit below two is refused`(limit: Int) throws {
    var list = try makeList(1...4)
    #expect(throws: RecordingError.limitTooSmall(limit)) { try list.setLimit(limit) }
    #expect(list.count == 4)
  }

  @Test func `a replaced reducer reduces all actions from the base on`() throws {
    var list = try makeList(1...6)
    try list.toggle(2)
    try list.jump(to: 4)
    list.replaceReducer { state, action in state.append(-action) }
    #expect(list.state == [-1, -3, -4])
    try list.setLimit(3)
    list.replaceReducer { state, action in state.append(10 * action) }
    #expect(list.base == [-1, -3])
    try list.jump(to: 3)
    #expect(list.state == [-1, -3, 40, 50, 60])
  }

  // MARK: Locking, pausing, loading

  @Test func `a locked recording refuses actions, but its position can change`() throws {
    var list = try makeList(1...3)
    list.isLocked = true
    #expect(throws: RecordingError.locked) { try list.perform(4) }
    #expect(throws: RecordingError.locked) { try list.perform([4, 5]) }
    try list.jump(to: 1)
    try list.toggle(1)
    #expect(list.count == 3)
    list.isLocked = false
    try list.perform(4)
    #expect(list.count == 4)
  }

  @Test func `a paused recording keeps the state but not the actions`() throws {
    var list = try makeList(1...3)
    list.pause()
    #expect(try list.perform(4) == nil)
    list.pause()
    try list.perform(5)
    #expect(list.isPaused)
    #expect(list.count == 3)
    #expect(list.state == [1, 2, 3, 4, 5])
    try list.jump(to: 1)
    #expect(list.state == [1])
    list.resume()
    #expect(list.base == [1, 2, 3, 4, 5])
    #expect(list.count == 0)
    #expect(try list.perform(6) == 4)
    list.resume()
    #expect(list.state == [1, 2, 3, 4, 5, 6])
  }

  @Test func `a loaded recording is reduced by the existing reducer`() throws {
    var list = try makeList(1...3)
    var other = List(initialState: [0], checkpointInterval: 5) { state, action in state.append(-action) }
    try other.perform(Array(1...7))
    try other.toggle(3)
    try other.move(7, before: 1)
    try other.jump(to: 6)
    list.isLocked = true
    list.load(other)
    #expect(list.isLocked)
    #expect(numbers(list) == [7, 1, 2, 3, 4, 5, 6])
    #expect(list.position == 6)
    #expect(list.state == [0, 7, 1, 2, 4, 5])
    list.isLocked = false
    #expect(try list.perform(8) == 8)
    list.reset()
    #expect(list.state == [])
  }

  @Test func `loading keeps the limit`() throws {
    var list = try makeList()
    try list.setLimit(2)
    list.load(try makeList(1...5))
    #expect(numbers(list) == [4, 5])
    #expect(list.base == [1, 2, 3])
    #expect(list.position == 2)
  }

  @Test func `a copy that commits has its own results about a part's changes`() throws {
    let list = try makeList(1...10)
    var copy = list
    try copy.setLimit(2)
    #expect(copy.changes(of: \.count) == [9, 10])
    #expect(list.changes(of: \.count) == Array(1...10))
    #expect(list.lastPosition(where: \.count, is: 3) == 3)
    #expect(copy.lastPosition(where: \.count, is: 3) == nil)
  }

  @Test func `a copy is independent`() throws {
    let list = try makeList(1...5)
    var copy = list
    try copy.toggle(1)
    try copy.perform(6)
    #expect(list.state == [1, 2, 3, 4, 5])
    #expect(copy.state == [2, 3, 4, 5, 6])
  }

  @Test func `an interval below one counts as one`() throws {
    let list = try makeList(1...5, interval: -3)
    #expect(list.checkpointInterval == 1)
    #expect(try list.state(at: 3) == [1, 2, 3])
  }
}
