import Arbor
import ArborDevTools
import Testing

@Suite("Paused recordings")
struct PausedRecordingTests {
  private typealias Sum = Recording<Int, Int>

  /// Returns a paused sum of 1 and 2, to which 10 was added since.
  private func makePaused(_ position: Int = 2) throws -> Sum {
    var sum = Sum(initialState: 0) { $0 += $1 }
    try sum.perform([1, 2])
    sum.pause()
    try sum.perform(10)
    try sum.jump(to: position)
    return sum
  }

  /// Expects a recording that started over, is paused, and continues from there.
  private func expectBegun(_ sum: Sum, at base: Int) throws {
    var sum = sum
    #expect(sum.isPaused && sum.count == 0)
    #expect(sum.base == base && sum.state == base)
    try sum.perform(100)
    #expect(sum.state == base + 100 && sum.count == 0)
    sum.resume()
    #expect(sum.base == base + 100)
  }

  @Test func `a reset discards the state that was not kept`() throws {
    var sum = try makePaused()
    sum.reset()
    try expectBegun(sum, at: 0)
  }

  @Test func `a rollback discards the state that was not kept`() throws {
    var sum = try makePaused()
    try sum.setLimit(2)
    sum.rollBack()
    try expectBegun(sum, at: 0)
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 13)])
  func `a commit makes the shown state the base`(position: Int, base: Int) throws {
    var sum = try makePaused(position)
    sum.commit()
    try expectBegun(sum, at: base)
  }

  @Test func `removing the end also removes the state after it`() throws {
    var sum = try makePaused(1)
    #expect(sum.removeFollowing().map(\.id) == [2])
    #expect(sum.isPaused && sum.state == 1)
    var same = try makePaused(2)
    same.removeFollowing()
    #expect(same.state == 13)
  }

  @Test func `a loaded recording is shown at its end, and kept`() throws {
    var other = Sum(initialState: 4) { $0 += $1 }
    try other.perform([1, 2])
    try other.jump(to: 1)
    var sum = try makePaused()
    sum.load(other)
    #expect(sum.isPaused && sum.position == 2)
    #expect(sum.state == 7)
    sum.resume()
    #expect(sum.entries.map(\.rootAction) == [1, 2])
    #expect(sum.base == 4 && sum.state == 7)
  }

  @Test func `actions after loading continue from the loaded state`() throws {
    var other = Sum(initialState: 4) { $0 += $1 }
    try other.perform([1, 2])
    var sum = try makePaused()
    sum.load(other)
    try sum.perform(100)
    #expect(sum.state == 107 && sum.count == 2)
    sum.resume()
    #expect(sum.base == 107 && sum.count == 0)
  }

  @Test func `resuming without actions since the pause commits nothing`() throws {
    var sum = Sum(initialState: 0) { $0 += $1 }
    try sum.perform([1, 2])
    sum.pause()
    sum.resume()
    #expect(!sum.isPaused && sum.count == 2 && sum.base == 0)
    try sum.perform(3)
    #expect(sum.count == 3 && sum.state == 6)
  }
}
