/// The actions that were reduced but not written yet, grouped by step. Used on the tree's queue.
///
/// - It is created where the type of the actions is known, so that the compiler specializes the code for each action.
@usableFromInline
final class JournalBuffer<Action: Sendable>: JournalSteps, @unchecked Sendable {  // As its superclass.
  @usableFromInline
  @exclusivity(unchecked)
  var actions = ContiguousArray<Action>()

  @inlinable
  override init() {}

  /// Adds an action of the running step, unless it was written ahead.
  @inlinable
  func append(_ action: Action) {
    guard !isWritten else {
      isWritten = false
      return
    }
    actions.append(action)
    count &+= 1
  }

  /// Removes and returns the actions of each step that has ended.
  func take() -> [ArraySlice<Action>] {
    let actions = Array(actions)
    self.actions = []
    return takeRanges().map { actions[$0] }
  }

  @discardableResult
  override func drop() -> Bool {
    actions = []
    return super.drop()
  }
}

/// The boundaries of the steps of journaled actions. Used on the tree's queue.
@usableFromInline
class JournalSteps: @unchecked Sendable {  // One queue uses it.
  /// The number of actions that are waiting to be written.
  @usableFromInline
  @exclusivity(unchecked)
  final var count = 0

  /// `true` if an action of the running step that isn't journaled has changed a part.
  @exclusivity(unchecked)
  final var hasOtherChange = false

  /// `true` if the running action was written before being reduced.
  @usableFromInline
  @exclusivity(unchecked)
  final var isWritten = false

  /// The number of actions in the steps that have ended.
  @exclusivity(unchecked)
  private final var ended = 0

  /// The numbers of actions of those steps that don't have exactly one, by the index of their first action.
  private final var batches: [Int: Int] = [:]

  @usableFromInline
  init() {}

  /// Ends the running step. Returns `true` if it is the first step that waits to be written, or if the parts must be
  /// written.
  final func endStep() -> Bool {
    let length = count - ended
    guard length > 0 || hasOtherChange else { return false }
    if length > 1 { batches[ended] = length }
    defer { (ended, hasOtherChange) = (count, false) }
    return ended == 0 || hasOtherChange
  }

  /// Releases all actions, after the end of a step. Returns `true` if there were any.
  @discardableResult
  func drop() -> Bool {
    defer { (count, ended, batches) = (0, 0, [:]) }
    return count > 0
  }

  /// Removes and returns the range of each step.
  final func takeRanges() -> [Range<Int>] {
    defer { (count, ended, batches) = (0, 0, [:]) }
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(ended)
    var begin = 0
    while begin < count {
      let end = begin + (batches[begin] ?? 1)
      ranges.append(begin..<end)
      begin = end
    }
    return ranges
  }
}
