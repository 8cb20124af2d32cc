/// The actions that a task has sent, and the reduced ones.
final class TaskRecord: Sendable {
  let sent = Counter()
  let reduced = Counter()

  /// Records that an action was reduced.
  ///
  /// - Returns: The flaw of the reduction, if any.
  func reduce(_ number: Int) -> String? {
    let expected = reduced.value
    reduced.count()
    return number == expected ? nil : "O2 a task's action \(number) came where \(expected) was to come"
  }
}
