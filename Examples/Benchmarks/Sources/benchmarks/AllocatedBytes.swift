#if canImport(Glibc)
  import CMalloc
#endif

/// The bytes that are allocated and not freed; nil if the C library does not report them.
func allocatedBytes() -> Int? {
  #if canImport(Glibc)
    let statistics = mallinfo2()
    return Int(statistics.uordblks + statistics.hblkhd)
  #else
    return nil
  #endif
}
