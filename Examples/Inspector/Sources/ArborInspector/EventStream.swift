internal import Dispatch

/// The events for one browser: bytes that are made when the browser has taken the previous ones.
struct EventStream: Sendable {
  /// The pause between two checks for news.
  private static let pause = Duration.milliseconds(40)

  /// After this many checks without news, something is sent anyway: only this way is a closed browser noticed.
  private static let quietQuestions = 50

  let messages: @Sendable () -> [[UInt8]]

  /// The browser's seat, which is freed when the stream is released.
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
