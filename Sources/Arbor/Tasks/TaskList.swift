/// The numbers of tasks in the order they were added. Adding, finding and removing any of them is O(1).
///
/// A list that never has more than one member at a time doesn't allocate memory, and an empty list doesn't hold any.
struct TaskList: Sendable {
  private struct Links {
    var previous: UInt64?
    var next: UInt64?
  }

  /// The member that was added first.
  private(set) var first: UInt64?

  private var last: UInt64?

  /// The neighbors of each member. A member that never had any may be missing.
  private var links: [UInt64: Links] = [:]

  var isEmpty: Bool { first == nil }

  /// Adds a task that isn't in the list.
  mutating func append(_ task: UInt64) {
    if let last {
      links[last, default: Links()].next = task
      links[task] = Links(previous: last)
    } else {
      first = task
    }
    last = task
  }

  /// Removes a task.
  ///
  /// - Returns: `true` if the task was in the list.
  mutating func remove(_ task: UInt64) -> Bool {
    guard first != last else {
      guard first == task else { return false }
      self = TaskList()
      return true
    }
    guard let removed = links.removeValue(forKey: task) else { return false }
    if let previous = removed.previous {
      links[previous]?.next = removed.next
    } else {
      first = removed.next
    }
    if let next = removed.next {
      links[next]?.previous = removed.previous
    } else {
      last = removed.previous
    }
    return true
  }

  /// Removes the first member.
  mutating func popFirst() -> UInt64? {
    guard let first else { return nil }
    _ = remove(first)
    return first
  }
}
