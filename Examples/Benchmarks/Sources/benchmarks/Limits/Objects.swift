/// Makes objects, each of which is released a little later: the unit of limits that have nothing of their own kind to be
/// compared with. They grow on a slow machine as the work does.
///
/// - Returns: The nanoseconds that so many objects take.
func nanoseconds(ofObjects count: Double) -> Double {
  let made = 20_000
  var objects = [MadeObject?](repeating: nil, count: 64)
  // The median of several: what interrupts one would otherwise raise the limit.
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
  /// Makes a row that is compared with the making of objects.
  ///
  /// - Parameters:
  ///   - objects: The limit: as long as it takes to make so many.
  ///   - prepare: Sets the workload up, and returns the closure that measures it, in nanoseconds an operation.
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
