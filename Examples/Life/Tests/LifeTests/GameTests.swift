import Testing

@testable import LifeCore

@Suite("The game")
struct GameTests {
  /// The state after some generations, of a world with or without a pattern inserted at some point.
  private func state(_ generations: Int, gliderBehind: Int? = nil) -> LifeState {
    var state = LifeState(world: sown)
    for generation in 0..<generations {
      if generation == gliderBehind { state.world.insert(.glider, at: Cell(32, 16)) }
      state.world.advance()
      state.generation += 1
    }
    return state
  }

  private var sown: World {
    var world = World(width: 64, height: 32)
    world.sow(seed: 3)
    return world
  }

  private func game(limit: Int = 1_000) -> Game { Game(world: sown, limit: limit) }

  @Test func `each frame is a generation`() {
    let game = game()
    game.play(frames: 100)
    #expect(game.moment.state == state(100))
    #expect(!game.moment.isPast)
    #expect(game.moment.count == 100)
  }

  @Test func `a pause changes nothing, and ends`() {
    let game = game()
    game.play(frames: 10)
    game.perform(.pause)
    game.play(frames: 10)
    #expect(game.moment.state == state(10))
    game.perform(.pause)
    game.play(frames: 10)
    #expect(game.moment.state == state(20))
  }

  @Test func `it plays backward to the beginning, and forward to the present, where it continues`() {
    let game = game()
    game.play(frames: 50)
    game.perform(.rewind)
    for generation in (0..<50).reversed() {
      game.play(frames: 1)
      #expect(game.moment.state == state(generation))
    }
    #expect(game.moment.pace == .paused)
    game.play(frames: 5)
    #expect(game.moment.state == state(0))

    game.perform(.pause)
    game.play(frames: 49)
    #expect(game.moment.pace == .replaying)
    #expect(game.moment.state == state(49))
    game.play(frames: 1)
    #expect(game.moment.pace == .live)
    #expect(!game.moment.isPast)
    game.play(frames: 10)
    #expect(game.moment.state == state(60))
  }

  @Test func `a step shows one moment earlier or later, within the limits`() {
    let game = game()
    game.play(frames: 5)
    game.perform(.step(-2))
    #expect(game.moment.state == state(3))
    game.perform(.step(1))
    #expect(game.moment.state == state(4))
    game.perform(.step(-60))
    #expect(game.moment.state == state(0))
    game.perform(.step(60))
    #expect(game.moment.state == state(5))
    #expect(!game.moment.isPast)
    #expect(game.moment.pace == .paused)
  }

  @Test func `the present without a glider is that of a world that never had it`() {
    let game = game()
    game.play(frames: 40)
    game.perform(.insert(.glider))
    game.play(frames: 60)
    #expect(game.moment.state == state(100, gliderBehind: 40))
    #expect(game.moment.state != state(100))

    game.perform(.leaveOut)
    #expect(game.moment.state == state(100))
    #expect(game.moment.interferences.map(\.isLeftOut) == [true])
    game.perform(.leaveOut)
    #expect(game.moment.state == state(100, gliderBehind: 40))

    game.perform(.leaveOut)
    game.perform(.present)
    #expect(game.moment.state == state(100, gliderBehind: 40))
    #expect(game.moment.interferences.map(\.isLeftOut) == [false])
  }

  @Test func `a past without a glider can become the present`() {
    let game = game()
    game.play(frames: 40)
    game.perform(.insert(.glider))
    game.play(frames: 60)
    game.perform(.leaveOut)
    game.perform(.continueFromHere)
    game.play(frames: 10)
    #expect(game.moment.state == state(110))
    #expect(game.moment.interferences.map(\.isLeftOut) == [true])
    game.perform(.step(-5))
    game.perform(.step(5))
    #expect(!game.moment.isPast)
  }

  @Test func `an alternative ends where the present does, and describes its continuation`() {
    let game = game()
    game.perform(.insert(.glider))
    game.play(frames: 20)
    game.perform(.leaveOut)
    game.perform(.step(-5))
    game.perform(.pause)
    game.play(frames: 10)
    #expect(game.moment.pace == .paused)
    #expect(game.moment.isPast)
    #expect(game.moment.state == state(20))
    #expect(game.moment.note.contains("enter"))
  }

  @Test func `an insertion in the past makes a new present`() {
    let game = game()
    game.play(frames: 50)
    game.perform(.step(-20))
    game.perform(.insert(.glider))
    game.perform(.pause)
    #expect(game.moment.count == 31)
    game.perform(.pause)
    game.play(frames: 10)
    #expect(game.moment.state == state(40, gliderBehind: 30))
  }

  @Test func `there is nothing to leave out before the first pattern`() {
    let game = game()
    game.play(frames: 5)
    game.perform(.insert(.glider))
    game.play(frames: 5)
    game.perform(.step(-8))
    let moment = game.moment
    game.perform(.leaveOut)
    #expect(game.moment.state == moment.state)
    #expect(game.moment.note == "no change was made before this moment")
  }

  @Test func `moments older than the limit are forgotten`() {
    let game = game(limit: 32)
    game.perform(.insert(.glider))
    game.play(frames: 200)
    #expect(game.moment.count <= 64)
    #expect(game.moment.interferences.isEmpty)
    let first = 200 - game.moment.count
    game.perform(.step(-1_000))
    #expect(game.moment.state.generation == first)
    #expect(game.moment.state == state(first, gliderBehind: 0))
  }

  @Test func `the present is found again when the removed interference is too old to be kept`() {
    let game = game(limit: 32)
    game.perform(.insert(.glider))
    game.play(frames: 4)
    game.perform(.leaveOut)
    game.perform(.continueFromHere)
    game.play(frames: 200)
    game.perform(.step(-1))
    game.perform(.step(1))
    #expect(!game.moment.isPast)
  }

  @Test func `the greatest seed and the next one give worlds`() {
    let game = Game(world: sown, seed: .max)
    game.perform(.sow)
    let world = game.moment.state.world
    game.perform(.sow)
    #expect(game.moment.state.world != world)
  }

  @Test func `the cursor wraps around the world`() {
    let game = game()
    #expect(game.moment.cursor == Cell(32, 16))
    game.perform(.move(Cell(-36, 20)))
    #expect(game.moment.cursor == Cell(60, 4))
  }
}

extension Game {
  fileprivate func play(frames: Int) {
    for _ in 0..<frames { advance() }
  }
}
