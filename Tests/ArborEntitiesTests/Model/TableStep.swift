/// A step of a trial; any sequence of them can be played.
enum TableStep: Sendable {
  case perform(TableOperation)

  /// Finds records by their ids.
  case find([ModelID])

  /// Queries a range of each sorted index.
  case ask(RangeQuery)

  /// Keeps a snapshot.
  case keep

  /// Checks the oldest snapshot and releases it.
  case release

  /// Compares the table with a snapshot.
  case compare(snapshot: Int)

  /// Continues with a snapshot instead of the table.
  case goBack(snapshot: Int)
}

extension TableStep {
  /// Removes rows and ids as long as a closure still fails without them.
  func shortened(while fails: (TableStep) -> Bool) -> TableStep {
    switch self {
    case .find(let ids):
      .find(ids.shortened { fails(.find($0)) })
    case .perform(.insertAll(let rows)):
      .perform(.insertAll(rows.shortened { fails(.perform(.insertAll($0))) }))
    case .perform(.upsertAll(let rows, let merge)):
      .perform(.upsertAll(rows.shortened { fails(.perform(.upsertAll($0, merge))) }, merge))
    case .perform(.merge(let rows, let merge)):
      .perform(.merge(rows.shortened { fails(.perform(.merge($0, merge))) }, merge))
    case .perform(.updateSome(let ids, let change)):
      .perform(.updateSome(ids.shortened { fails(.perform(.updateSome($0, change))) }, change))
    case .perform(.removeSome(let ids)):
      .perform(.removeSome(ids.shortened { fails(.perform(.removeSome($0))) }))
    default: self
    }
  }
}

extension [TableStep] {
  /// The fewest steps, with the fewest rows and ids, for which a closure still fails.
  func fewest(while fails: ([TableStep]) -> Bool) -> [TableStep] {
    var steps = shortened(while: fails)
    for index in steps.indices {
      steps[index] = steps[index].shortened { step in
        var others = steps
        others[index] = step
        return fails(others)
      }
    }
    return steps
  }
}
