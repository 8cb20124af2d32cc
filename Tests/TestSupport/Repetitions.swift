/// How often a test repeats what it does: far less often under a sanitizer, where everything takes many times as long.
public func repetitions(_ count: Int) -> Int {
  #if TSAN || ASAN
    max(count / 25, 1)
  #else
    count
  #endif
}
