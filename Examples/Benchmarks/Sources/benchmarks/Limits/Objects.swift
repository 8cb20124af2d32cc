/// Makes objects, each of which is released a little later: the unit of limits for work without a comparable peer. Such
/// limits grow on a slow machine like the work.
///
/// - Returns: The nanoseconds for this number of objects.
func nanoseconds(ofObjects count: Double) -> Double {
  let made = 20_000
  var objects = [MadeObject?](repeating: nil, count: 64)
  // Use the median of several: an interruption of one would otherwise raise the limit.
  let times = (0..<5).map { _ in
    nanoseconds(perOperationOf: made) {
      for number in 0..<made { objects[number & 63] = MadeObject(number) }
    }
  }
  consume(objects)
  return count * times.sorted()[2]
}

private final class MadeObject {
  let number: Int
  let others = (0, 0, 0)

  init(_ number: Int) {
    self.number = number
  }
}

extension Row {
  /// Makes a row that is compared with the creation of objects.
  ///
  /// - Parameters:
  ///   - objects: The limit: the time for making this number of objects.
  ///   - prepare: Sets the workload up, and returns the closure that measures it, in nanoseconds per operation.
  init(
    workload: String,
    objects: Double,
    budget: Double?,
    rounds: Int? = nil,
    prepare: @escaping @Sendable (Scale) -> () -> Double?
  ) {
    self.init(workload: workload, limit: Row.text(ofObjects: objects), budget: budget, rounds: rounds) { scale in
      (work: prepare(scale), limit: { nanoseconds(ofObjects: objects) })
    }
  }

  /// The text of a limit, such as "700 objects".
  static func text(ofObjects count: Double) -> String {
    switch count {
    case 1e6...: "\(Int(count / 1e6)) million objects"
    case 1e3...: "\(Int(count / 1e3)),000 objects"
    case 1...: "\(Int(count)) objects"
    default: "\(count) objects"
    }
  }
}
