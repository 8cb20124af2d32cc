#if os(Linux)
  import Foundation

  /// The memory of this process that has not been returned to the system.
  package func residentMegabytes() throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/statm"))
    let sizes = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: " ")
    guard sizes.count > 1, let pages = Int(sizes[1]) else { throw CocoaError(.fileReadCorruptFile) }
    return pages * Int(getpagesize()) / 1_048_576
  }
#endif
