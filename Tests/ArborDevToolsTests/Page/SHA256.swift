/// The hash that browsers use to check scripts, as in FIPS 180-4. Foundation has none on Linux.
enum SHA256 {
  static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var message = Array(bytes)
    let bits = UInt64(message.count) * 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    var state = start
    for block in stride(from: 0, to: message.count, by: 64) { add(message[block..<block + 64], to: &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = (0..<16).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + 4 * word + $1]) }
    }
    for place in 16..<64 {
      let (near, far) = (words[place - 2], words[place - 15])
      let first = rotated(far, 7) ^ rotated(far, 18) ^ far >> 3
      let second = rotated(near, 17) ^ rotated(near, 19) ^ near >> 10
      words.append(words[place - 16] &+ first &+ words[place - 7] &+ second)
    }
    var now = state
    for place in 0..<64 {
      let sum = rotated(now[4], 6) ^ rotated(now[4], 11) ^ rotated(now[4], 25)
      let choice = now[4] & now[5] ^ ~now[4] & now[6]
      let first = now[7] &+ sum &+ choice &+ rounds[place] &+ words[place]
      let majority = now[0] & now[1] ^ now[0] & now[2] ^ now[1] & now[2]
      let second = (rotated(now[0], 2) ^ rotated(now[0], 13) ^ rotated(now[0], 22)) &+ majority
      now = [first &+ second, now[0], now[1], now[2], now[3] &+ first, now[4], now[5], now[6]]
    }
    for place in 0..<8 { state[place] &+= now[place] }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first primes, from which the constants are made.
  private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

  private static let start = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }

  private static let rounds = primes.prefix(64).map { cubeRootFraction(of: UInt128($0)) }

  /// Returns the first 32 bits of the fraction.
  private static func fraction(of root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 4_294_967_296)
  }

  /// Returns the first 32 bits of a cube root's fraction, found bit by bit, because the last bit of a rounded root may be
  /// wrong.
  private static func cubeRootFraction(of number: UInt128) -> UInt32 {
    var root: UInt128 = 0
    for bit in stride(from: 35, through: 0, by: -1) {
      let tried = root | 1 << bit
      if tried * tried * tried <= number << 96 { root = tried }
    }
    return UInt32(truncatingIfNeeded: root)
  }
}
