import Arbor

/// The cost of comparing large values by their stamps.
let stampedRows = [
  Row(workload: "comparing two stamped arrays of 1,000,000", objects: 0.2, budget: 1) { scale in
    let count = scale.count(1_000_000)
    let array = Stamped(wrappedValue: Array(repeating: 1, count: count))
    var changed = array
    changed.wrappedValue[0] = 1
    // Alternated, so that no comparison can be reused.
    let others = [array, changed]
    return {
      nanoseconds(perOperationOf: count) {
        var equal = 0
        others.withUnsafeBufferPointer { others in
          for index in 0..<count where others[index & 1] == others[0] { equal += 1 }
        }
        consume(equal)
      }
    }
  }
]
