/// The actions that a task has sent, and those of them that were reduced.
final class TaskRecord: Sendable {
  let sent = Counter()
  let reduced = Counter()

  /// Notes that an action was reduced.
  ///
  /// - Returns: The flaw in that, if there is one.
  func reduce(_ number: Int) -> String? {
    let expected = reduced.value
    reduced.count()
    return number == expected ? nil : "O2 a task's action \(number) came where \(expected) was to come"
  }
}
