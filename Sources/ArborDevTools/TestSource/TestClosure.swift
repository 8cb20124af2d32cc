/// The closure of a step in a test, which changes the state as the step has changed it.
struct TestClosure {
  let assignments: [StateAssignments.Assignment]

  var isEmpty: Bool { assignments.isEmpty }

  /// The closure on one line; nil if it needs several.
  var line: String? { assignments.count == 1 ? "{ \(assignments[0].flat) }" : nil }

  var commas: Int { assignments.reduce(0) { $0 + ($1.value?.commas ?? 0) } }

  /// Adds the closure in several lines.
  func add(after start: String, before end: String = "", indentation: Int, to lines: inout SourceLines) {
    lines.add(start + "{", indentation: indentation)
    for assignment in assignments {
      if let value = assignment.value {
        lines.add(value, after: "\(assignment.target) = ", indentation: indentation + 2)
      } else {
        lines.add(assignment.target, indentation: indentation + 2)
      }
    }
    lines.add("}" + end, indentation: indentation)
  }
}
