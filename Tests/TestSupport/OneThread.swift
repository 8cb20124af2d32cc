package import Testing

extension Trait where Self == ConditionTrait {
  /// The test or suite uses one thread only. So it is left out under the thread sanitizer, which would find nothing in it.
  package static var oneThread: Self {
    #if TSAN
      .disabled("the thread sanitizer finds nothing in a test of one thread")
    #else
      .enabled(if: true)
    #endif
  }
}
