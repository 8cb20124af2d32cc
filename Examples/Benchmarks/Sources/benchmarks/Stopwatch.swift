import Dispatch

/// Times a body that does an operation many times.
///
/// - Returns: Nanoseconds an operation.
func nanoseconds(perOperationOf count: Int, _ body: () -> Void) -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  body()
  return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
}

/// Keeps the compiler from leaving out the work that led to a value.
@_optimize(none)
func consume<Value>(_ value: Value) {}
