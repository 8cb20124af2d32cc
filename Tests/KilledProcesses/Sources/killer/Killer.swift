import Foundation

/// Repeatedly kills a process that reports its durable counts, and checks that the next process finds them.
@main
enum Killer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let times = Int(arguments[3]) else { fatalError("usage: killer WRITER WAY TIMES") }
    let folder = FileManager.default.temporaryDirectory.appending(path: "killed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var acknowledged = [0, 0, 0, 0]
    for time in 1...times {
      let said = try run(arguments[1], arguments[2], folder.path)
      guard let found = said.first.flatMap(Self.numbers), found.count == acknowledged.count else {
        fatalError("start \(time) failed in \(folder.path): \(said)")
      }
      for (task, number) in acknowledged.enumerated() where found[task] < number {
        fatalError("start \(time) in \(folder.path): task \(task) has only \(found[task]) of \(number) left")
      }
      acknowledged = found
      for line in said.dropFirst() {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        // The last line may be cut off.
        if numbers.count == 2, line.last != " " { acknowledged[numbers[0]] = max(acknowledged[numbers[0]], numbers[1]) }
      }
    }
    print("\(arguments[2]): killed \(times) times, \(acknowledged.reduce(0, +)) numbers, none of them lost")
  }

  private static func numbers(_ line: String) -> [Int]? {
    guard line.hasPrefix("found ") else { return nil }
    return line.split(separator: " ").dropFirst().compactMap { Int($0) }
  }

  /// Runs a writer for a moment, kills it, and returns the lines that it has written.
  private static func run(_ writer: String, _ way: String, _ folder: String) throws -> [String] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: writer)
    process.arguments = [way, folder]
    process.standardOutput = pipe
    try process.run()
    // Wait until it has begun: killing a starting process shows nothing.
    var said = pipe.fileHandleForReading.availableData
    usleep(.random(in: 0...8000))
    kill(process.processIdentifier, SIGKILL)
    said += (try pipe.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    var lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeLast()
    return lines.map(String.init)
  }
}
