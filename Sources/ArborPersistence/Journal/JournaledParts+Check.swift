internal import Arbor

#if DEBUG
  extension JournaledParts {
    /// The number of actions of each case that are checked: a check copies what the reducer changes.
    private static var checkedCount: Int { 10 }

    /// Reduces journaled actions a second time, by the journal's feature, and stops the program if that makes other parts:
    /// the next start would find them in place of those that the store has.
    func checking<Reduced: Sendable>(
      _ reduce: @escaping @Sendable (Reduced) -> Bool
    ) -> @Sendable (Reduced) -> Bool {
      let reduceAgain = journal.makeReducer()
      let counts = Protected<[String: Int]>([:])
      return { [self] reduced in
        guard let action = checkedAction(in: reduced, counts) else { return reduce(reduced) }
        let before = parts.presentState
        guard reduce(reduced) else { return false }
        guard var again = before, let after = parts.presentState else { return true }
        reduceAgain(&again, action)
        if let name = parts.nameOfDifference(between: again, and: after) {
          let action = "\(Reduced.self).\(caseName(of: reduced))"
          Misuse.journalingAnotherReducer.stop(about: "the part \(name), after \(action)")
        }
        return true
      }
    }

    /// The action that is journaled of one that is about to be reduced, if it is to be checked.
    private func checkedAction<Reduced: Sendable>(
      in reduced: Reduced,
      _ counts: borrowing Protected<[String: Int]>
    ) -> Action? {
      // If all parts are written, nothing is reduced again.
      guard !needsAllParts.loadRelaxed(), case let action?? = journal.filter.action(in: reduced) else { return nil }
      let count = counts.withLock { counts in
        counts[caseName(of: reduced), default: 0] += 1
        return counts[caseName(of: reduced)]!
      }
      return count > Self.checkedCount ? nil : action
    }
  }

  /// The name of an action's case, followed by the case of the action inside it, as in `list.add`.
  private func caseName(of action: Any) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "" }
    guard let child = mirror.children.first, let name = child.label else { return "\(action)" }
    let inner = caseName(of: child.value)
    return inner.isEmpty ? name : "\(name).\(inner)"
  }
#endif
