/// The loads of a storage, by which is told who may save: a store whose parts were loaded again, or have been written by
/// another process since, must not write over that.
///
/// - Loads have numbers from 1 on. It does not matter when a store is made of what was loaded.
struct LoadHistory: Sendable {
  /// The number of the last load.
  private(set) var last = 0

  /// The number of the last load of each part.
  private var lastOfPart: [String: Int] = [:]

  /// The number of the first load after another process has written.
  private var firstValid = 1

  /// The number of the last load before the last erasure.
  private var lastErased = 0

  /// `true` if another process has written since something was loaded, and nothing was loaded since.
  var isBehind: Bool { last > 0 && firstValid > last }

  /// Notes a load of some parts. Returns its number.
  mutating func add(_ names: Set<String>) -> Int {
    last += 1
    for name in names { lastOfPart[name] = last }
    return last
  }

  /// Notes that another process has written.
  mutating func noteChangeElsewhere() {
    if last > 0 { firstValid = last + 1 }
  }

  /// Notes that everything that is stored was erased.
  mutating func noteErasure() {
    lastErased = last
  }

  /// The reason why parts of a load must not be saved any more; nil if they may be.
  func objection(to names: Set<String>, ofLoad load: Int) -> StorageError? {
    if load < firstValid { return .changedElsewhere }
    return names.contains { lastOfPart[$0, default: 0] > load } ? .loadedAgain : nil
  }

  /// `true` if everything was erased since a load.
  func isErased(since load: Int) -> Bool { load <= lastErased }
}
