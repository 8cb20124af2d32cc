/// How often a test repeats what it does: as often as is asked in an optimized build, less often in one that is not, and
/// far less often under a sanitizer, where everything takes many times as long.
public func repetitions(_ count: Int) -> Int {
  #if TSAN || ASAN
    max(count / 25, 1)
  #elseif DEBUG
    max(count / 5, 1)
  #else
    count
  #endif
}
