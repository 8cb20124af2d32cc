/// Which tree of stores waits for which other one, to tell a deadlock from a long wait.
///
/// Only waits that begin inside a tree's own callback are entered: no others can close a circle.
struct WaitTable: @unchecked Sendable {  // The pointers are only compared.
  private static let shared = Protected(WaitTable())

  /// From a waiting tree to the tree that it waits for. One thread runs a tree, so it waits for one other at most.
  private var waits: [UnsafeRawPointer: UnsafeRawPointer] = [:]

  /// Enters that a tree, in one of its callbacks, waits for another one. Stops the program if that closes a circle.
  static func begin(waiting: UnsafeRawPointer, for awaited: UnsafeRawPointer) {
    let closesCircle = shared.withLock { table in
      table.waits[waiting] = awaited
      return table.reaches(waiting, from: awaited)
    }
    guard !closesCircle else { Misuse.treesWaitOnEachOther.stop() }
  }

  /// Takes out that a tree waits. On the awaited tree's queue still: its next callback must not see a wait that is over.
  static func end(waiting: UnsafeRawPointer) {
    shared.withLock { table in
      table.waits[waiting] = nil
    }
  }

  private func reaches(_ goal: UnsafeRawPointer, from start: UnsafeRawPointer) -> Bool {
    var next: UnsafeRawPointer? = start
    while let current = next {
      if current == goal { return true }
      next = waits[current]
    }
    return false
  }
}
