import Foundation

#if canImport(Glibc)
  import CMalloc
#endif

/// The maximum growth of the process's resident memory while a body runs, in bytes; nil if the system does not report
/// it.
///
/// - Linux records the maximum resident memory since the last reset (proc(5): `clear_refs`, `VmHWM`).
func peakMemory(of body: () -> Void) -> Double? {
  #if canImport(Glibc)
    // Return memory freed by earlier rows first: otherwise the body uses it, and nothing grows.
    malloc_trim(0)
  #endif
  guard let before = residentMemory("VmRSS:"), forgetPeak() else { return nil }
  body()
  return residentMemory("VmHWM:").map { max($0 - before, 0) }
}

private func forgetPeak() -> Bool {
  guard let handle = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
  return (try? handle.write(contentsOf: Data("5".utf8))) != nil
}

private func residentMemory(_ key: String) -> Double? {
  guard let handle = FileHandle(forReadingAtPath: "/proc/self/status"), let data = try? handle.readToEnd() else {
    return nil
  }
  let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(key) }
  return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 * 1024 }
}
