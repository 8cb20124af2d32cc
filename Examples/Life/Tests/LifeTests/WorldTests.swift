import Testing

@testable import LifeCore

@Suite("The world")
struct WorldTests {
  @Test(arguments: [(64, 1), (64, 2), (64, 3), (128, 5), (192, 40), (448, 224)])
  func `64 cells at once give the same result as each by itself`(width: Int, height: Int) {
    var world = World(width: width, height: height)
    world.sow(seed: UInt64(width + height))
    for _ in 0..<8 {
      let expected = naiveNext(of: world)
      world.advance()
      #expect(world == expected)
    }
  }

  @Test func `a glider moves one cell right and down in four generations, even across the edges`() {
    var world = World(width: 64, height: 16)
    world.insert(.glider, at: Cell(62, 14))
    var expected = World(width: 64, height: 16)
    expected.insert(.glider, at: Cell(63, 15))
    for _ in 0..<4 { world.advance() }
    #expect(world == expected)
  }

  @Test(arguments: [(Pattern.pulsar, 3, Cell(0, 0)), (.spaceship, 4, Cell(-2, 0))])
  func `a pattern returns`(pattern: Pattern, period: Int, distance: Cell) {
    var world = World(width: 64, height: 64)
    world.insert(pattern, at: Cell(20, 20))
    var expected = World(width: 64, height: 64)
    expected.insert(pattern, at: Cell(20, 20) + distance)
    for _ in 0..<period { world.advance() }
    #expect(world == expected)
  }

  @Test func `the gun makes a glider of five cells in thirty generations`() {
    var world = World(width: 128, height: 64)
    world.insert(.gliderGun, at: Cell(10, 10))
    let population = world.population
    for _ in 0..<30 { world.advance() }
    #expect(world.population == population + 5)
  }

  @Test func `the same seed sows the same world`() {
    var (one, same, other) = (World(), World(), World())
    one.sow(seed: 7)
    same.sow(seed: 7)
    other.sow(seed: 8)
    #expect(one == same)
    #expect(one != other)
    #expect(abs(one.population - 448 * 224 / 4) < 1_000)
  }

  private func naiveNext(of world: World) -> World {
    var next = World(width: world.width, height: world.height)
    for row in 0..<world.height {
      for column in 0..<world.width {
        var neighbors = 0
        for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
        where world[Cell(column + x, row + y)] { neighbors += 1 }
        next[Cell(column, row)] = neighbors == 3 || neighbors == 2 && world[Cell(column, row)]
      }
    }
    return next
  }
}
