/// The actions that a task has sent, and those of them that were reduced.
final class TaskRecord: @unchecked Sendable {  // `reduced` belongs to the queue of the task's tree.
  let sent = Counter()
  private(set) var reduced = 0

  /// Notes that an action was reduced.
  ///
  /// - Returns: The flaw in that, if there is one.
  func reduce(_ number: Int) -> String? {
    defer { reduced = number + 1 }
    return number == reduced ? nil : "O2 a task's action \(number) came where \(reduced) was to come"
  }
}
