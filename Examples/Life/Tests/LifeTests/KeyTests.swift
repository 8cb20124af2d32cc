import LifeCore
import Testing

@Suite("Keys")
struct KeyTests {
  @Test func `keys are commands, in order, and unknown keys are ignored`() {
    let commands = Key.commands(in: "1\u{1B}[Dz\u{1B}[C 7\rq".utf8)
    #expect(commands == [.insert(.glider), .step(-1), .step(1), .pause, .continueFromHere, .quit])
  }

  @Test func `a truncated sequence or invalid bytes do no harm`() {
    #expect(Key.commands(in: [0x1B]).isEmpty)
    #expect(Key.commands(in: "[D".utf8).isEmpty)
    #expect(Key.commands(in: [0xFF, 0x80, 0x20, 0xC3]) == [.pause])
  }
}
