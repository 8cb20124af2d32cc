import Dispatch

/// Times a body that repeats an operation many times.
///
/// - Returns: The nanoseconds per operation.
func nanoseconds(perOperationOf count: Int, _ body: () -> Void) -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  body()
  return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
}

/// Prevents the compiler from removing the computation of a value.
@_optimize(none)
func consume<Value>(_ value: Value) {}
