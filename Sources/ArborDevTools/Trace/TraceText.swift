/// The text of a trace: an array of JSON objects, one a line, of which the end is left open.
struct TraceText {
  private var bytes: [UInt8] = Array("[".utf8)
  private var isFirst = true

  /// Takes out what was added since the last time.
  mutating func take() -> String {
    defer { bytes.removeAll(keepingCapacity: true) }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Events

  mutating func beginEvent(_ phase: StaticString, _ name: String, _ process: UInt64, at time: Int64) {
    append(isFirst ? "\n{\"ph\":\"" : ",\n{\"ph\":\"")
    isFirst = false
    append(phase)
    append("\",\"pid\":")
    append(process)
    append(",\"tid\":1,\"ts\":")
    appendMicroseconds(time)
    add("name", name)
  }

  mutating func beginSlice(_ name: String, _ category: String, _ process: UInt64, at time: Int64, _ duration: Int64) {
    beginEvent("X", name, process, at: time)
    add("cat", category)
    add("dur", nanoseconds: duration)
  }

  mutating func beginFlow(_ phase: StaticString, _ id: UInt64, _ process: UInt64, at time: Int64) {
    beginEvent(phase, "cause", process, at: time)
    // Two processes of one trace have actions with the same numbers.
    append(",\"cat\":\"cause\",\"id\":\"")
    append(process)
    append(".")
    append(id)
    append("\"")
  }

  mutating func beginMetadata(_ name: String, _ process: UInt64) {
    beginEvent("M", name, process, at: 0)
    beginArguments()
  }

  mutating func endEvent() { append("}") }

  mutating func beginArguments() { append(",\"args\":{") }

  mutating func endArguments() { append("}") }

  // MARK: Members

  mutating func add(_ key: StaticString, _ value: String) {
    beginMember(key)
    appendQuoted(value)
  }

  mutating func add(_ key: StaticString, _ value: Int64) {
    beginMember(key)
    if value < 0 { append("-") }
    append(value.magnitude)
  }

  mutating func add(_ key: StaticString, nanoseconds: Int64) {
    beginMember(key)
    appendMicroseconds(nanoseconds)
  }

  private mutating func beginMember(_ key: StaticString) {
    if bytes.last != UInt8(ascii: "{") { append(",") }
    append("\"")
    append(key)
    append("\":")
  }

  // MARK: Bytes

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ number: UInt64) {
    append(number, digits: 1)
  }

  private mutating func append(_ number: UInt64, digits: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var (rest, first) = (number, 20)
      while rest > 0 || first > 20 - digits {
        first -= 1
        buffer[first] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: buffer[first...])
    }
  }

  /// Writes nanoseconds as microseconds, with three decimals.
  private mutating func appendMicroseconds(_ nanoseconds: Int64) {
    if nanoseconds < 0 { append("-") }
    append(nanoseconds.magnitude / 1000)
    append(".")
    append(nanoseconds.magnitude % 1000, digits: 3)
  }

  private mutating func appendQuoted(_ text: String) {
    append("\"")
    var text = text
    text.withUTF8 { utf8 in
      // Of most texts, every byte stands for itself.
      if utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        for byte in utf8 { appendEscaped(byte) }
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
    append("\"")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20:
      append("\\u00")
      let digits = StaticString("0123456789abcdef").utf8Start
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }
}
