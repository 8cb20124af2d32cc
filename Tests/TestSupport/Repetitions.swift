/// The number of repetitions in a test: the given number in an optimized build, fewer in a debug build, and far fewer
/// under a sanitizer, where everything takes many times as long.
public func repetitions(_ count: Int) -> Int {
  #if TSAN || ASAN
    max(count / 25, 1)
  #elseif DEBUG
    max(count / 5, 1)
  #else
    count
  #endif
}
