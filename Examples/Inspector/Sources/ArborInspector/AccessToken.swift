/// The secret in an inspector's address: 192 random bits.
struct AccessToken: Sendable {
  /// Hexadecimal digits.
  let text: String

  init() {
    // The system's generator, whose numbers are unpredictable.
    var random = SystemRandomNumberGenerator()
    text = (0..<3).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Compares both texts completely, so that the time does not reveal where they differ.
  func matches(_ candidate: some StringProtocol) -> Bool {
    let (secret, candidate) = (Array(text.utf8), Array(candidate.utf8))
    guard secret.count == candidate.count else { return false }
    return zip(secret, candidate).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
