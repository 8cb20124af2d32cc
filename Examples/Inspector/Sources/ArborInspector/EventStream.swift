internal import Dispatch

/// The events for one browser: bytes that are made when the browser has taken those before.
struct EventStream: Sendable {
  /// The pause between two questions for something new.
  private static let pause = Duration.milliseconds(40)

  /// After so many questions without an answer something is sent all the same: only so it is seen that the browser has
  /// gone.
  private static let quietQuestions = 50

  let messages: @Sendable () -> [[UInt8]]

  /// The browser's place among all; free when the stream is released.
  let seat: Seats.Seat

  /// Waits for the next bytes.
  func next() async throws -> [UInt8] {
    for _ in 0..<EventStream.quietQuestions {
      let messages = await pull()
      if !messages.isEmpty { return messages.flatMap { Array("data: ".utf8) + $0 + Array("\n\n".utf8) } }
      try await Task.sleep(for: EventStream.pause)
    }
    return Array(": nothing new\n\n".utf8)
  }

  private func pull() async -> [[UInt8]] {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { continuation.resume(returning: messages()) }
    }
  }
}
