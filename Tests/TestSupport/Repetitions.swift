/// The number of repetitions in a test: the given number in an optimized build.
///
/// It is smaller in a debug build and under the address sanitizer, and much smaller under the thread sanitizer, where everything
/// takes many times as long.
public func repetitions(_ count: Int) -> Int {
  #if TSAN
    max(count / 25, 1)
  #elseif DEBUG || ASAN
    max(count / 5, 1)
  #else
    count
  #endif
}
