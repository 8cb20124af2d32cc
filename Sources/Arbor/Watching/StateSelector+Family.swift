extension StateSelector {
  /// Returns a function that makes a selector for each argument, so that readers cache an output per argument.
  ///
  /// ```swift
  /// extension AppState {
  ///   static let byAuthor = StateSelector.family { (author: Author.ID) in
  ///     StateSelector(\AppState.books) { books in books.filter { $0.author == author } }
  ///   }
  /// }
  /// store.select(AppState.byAuthor(7))
  /// ```
  ///
  /// - For an equal argument, the function returns the same selector.
  /// - Create it once, usually as a `static let`, like any selector.
  /// - It keeps the selectors of the most recent arguments, at most `limit` of them. If you request the selector of an
  ///   older argument again, you get a new selector, which computes its output again. A value that holds the old
  ///   selector, such as a ``Derived``, keeps its cached output.
  /// - You can call it from any thread. Cost: an argument is hashed each time, and a new one costs a copy of the table
  ///   of selectors.
  /// - Parameters:
  ///   - limit: The number of selectors that are kept, at least one.
  ///   - makeSelector: Makes the selector of an argument. It may be called more than once for an argument.
  public static func family<Argument: Hashable & Sendable>(
    limit: Int = 64,
    _ makeSelector: @escaping @Sendable (_ argument: Argument) -> StateSelector
  ) -> @Sendable (_ argument: Argument) -> StateSelector {
    let family = SelectorFamily(limit: limit, makeSelector)
    return { argument in family.selector(for: argument) }
  }
}

/// The selectors of one family, by argument, up to a limit.
private final class SelectorFamily<Argument: Hashable & Sendable, State: Sendable, Output: Equatable & Sendable>:
  Sendable
{
  typealias Selector = StateSelector<State, Output>

  private final class Member: Sendable {
    let selector: Selector
    let lastUse: AtomicNumber

    init(_ selector: Selector, use: Int) {
      self.selector = selector
      lastUse = AtomicNumber(use)
    }
  }

  private struct Table: Sendable {
    private(set) var members: [Argument: Member] = [:]
    private(set) var version: UInt64 = 0

    /// Returns the table with another member. If there is no room, it replaces the least recently used one.
    func adding(_ member: Member, for argument: Argument, limit: Int) -> Table {
      var table = self
      if members.count >= limit {
        let oldest = members.indices.min {
          members[$0].value.lastUse.loadRelaxed() < members[$1].value.lastUse.loadRelaxed()
        }
        if let oldest { table.members.remove(at: oldest) }
      }
      table.members[argument] = member
      table.version += 1
      return table
    }
  }

  private let limit: Int
  private let makeSelector: @Sendable (Argument) -> Selector
  private let uses = AtomicNumber(0)
  private let table = Protected(Table())

  init(limit: Int, _ makeSelector: @escaping @Sendable (Argument) -> Selector) {
    self.limit = max(limit, 1)
    self.makeSelector = makeSelector
  }

  func selector(for argument: Argument) -> Selector {
    let use = uses.add(1)
    while true {
      // Arguments are hashed, compared and released outside the lock, because all of that may be the user's code.
      let old = table.withLock { $0 }
      if let member = old.members[argument] {
        member.lastUse.store(use)
        return member.selector
      }
      let member = Member(makeSelector(argument), use: use)
      let new = old.adding(member, for: argument, limit: limit)
      let isReplaced = table.withLock { table in
        guard table.version == old.version else { return false }
        table = new
        return true
      }
      // Otherwise another thread changed the table meanwhile, perhaps for the same argument.
      if isReplaced { return member.selector }
    }
  }
}
