import Foundation
import Testing

/// A separate server for a test, which may be killed.
struct OwnServer: Sendable {
  let url: String

  /// Starts a server, and ends it afterward.
  static func with(_ body: (OwnServer) async throws -> Void) async throws {
    let line = try await script("start")
    let url = try #require(line.split(separator: "=", maxSplits: 1).last).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let server = OwnServer(url: url)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(server))
    } catch {
      result = .failure(error)
    }
    _ = try await script("stop", url: url)
    try result.get()
  }

  /// Kills the server as a crash would, and starts it again.
  func restart() async throws {
    _ = try await Self.script("restart-immediate", url: url)
  }

  /// Runs the script that manages servers.
  private static func script(_ argument: String, url: String? = nil) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../server")
    process.arguments = [argument]
    process.environment = ProcessInfo.processInfo.environment.merging(["ARBOR_POSTGRES": url ?? ""]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
