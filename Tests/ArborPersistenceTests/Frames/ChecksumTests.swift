import ArborPersistence
import TestSupport
import Testing

@Suite("The checksum of frames")
struct ChecksumTests {
  private func checksum(of bytes: [UInt8]) -> UInt32 {
    var checksum = Checksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    return checksum.value
  }

  @Test func `the checksum has the values of RFC 3720`() {
    #expect(checksum(of: Array(repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(checksum(of: Array(repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(checksum(of: Array(0..<32)) == 0x46DD_794E)
    #expect(checksum(of: (0..<32).reversed()) == 0x113F_DB5C)
    #expect(checksum(of: Array("123456789".utf8)) == 0xE306_9283)
    #expect(checksum(of: []) == 0)
  }

  @Test func `bytes have the same checksum in parts and as a whole`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let cut = Int.random(in: 0...bytes.count, using: &random)
      var parts = Checksum()
      bytes[..<cut].withUnsafeBytes { parts.add($0) }
      bytes[cut...].withUnsafeBytes { parts.add($0) }
      #expect(parts.value == checksum(of: bytes))
    }
  }
}
