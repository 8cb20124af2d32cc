import ArborEntities
import HashTreeCollections
import OrderedCollections

/// The cost of finding, updating and moving one record in tables of two sizes, compared with dictionaries. One of these
/// shares the common parts of its copies and has no order. Two share nothing, and one of them has an order.
let entityPeerRows = [(100_000, "100,000"), (1_000_000, "1,000,000")].flatMap { count, name in
  [
    Row(workload: "find one of \(name) records", limit: "of a TreeDictionary", budget: 0.9) { scale in
      let (peers, picks) = Peers.with(count, scale)
      return (
        work: { nanoseconds(perOperationOf: picks.count) { for id in picks { consume(peers.table[id]) } } },
        limit: { nanoseconds(perOperationOf: picks.count) { for id in picks { consume(peers.tree[id]) } } }
      )
    },
    Row(workload: "find one of \(name) records, and in order", limit: "of an OrderedDictionary", budget: nil) { scale in
      let (peers, picks) = Peers.with(count, scale)
      return (
        work: { nanoseconds(perOperationOf: picks.count) { for id in picks { consume(peers.table[id]) } } },
        limit: { nanoseconds(perOperationOf: picks.count) { for id in picks { consume(peers.ordered[id]) } } }
      )
    },
    Row(workload: "find one of \(name) records, and a Dictionary", limit: "of a Dictionary", budget: nil) { scale in
      let (peers, picks) = Peers.with(count, scale)
      return (
        work: { nanoseconds(perOperationOf: picks.count) { for id in picks { consume(peers.table[id]) } } },
        limit: { nanoseconds(perOperationOf: picks.count) { for id in picks { consume(peers.dictionary[id]) } } }
      )
    },
    Row(workload: "update one of \(name) records, the only owner", limit: "of a TreeDictionary", budget: 0.9) { scale in
      let (peers, picks) = Peers.with(count, scale)
      return (
        work: { nanoseconds(perOperationOf: picks.count) { for id in picks { peers.update(id) } } },
        limit: { nanoseconds(perOperationOf: picks.count) { for id in picks { peers.tree[id]!.copies &+= 1 } } }
      )
    },
    Row(
      workload: "update one of \(name) records, the only owner, and in order", limit: "of an OrderedDictionary",
      budget: nil
    ) { scale in
      let (peers, picks) = Peers.with(count, scale)
      return (
        work: { nanoseconds(perOperationOf: picks.count) { for id in picks { peers.update(id) } } },
        limit: { nanoseconds(perOperationOf: picks.count) { for id in picks { peers.ordered[id]!.copies &+= 1 } } }
      )
    },
    Row(
      workload: "remove one of \(name) records and insert it again", limit: "of a TreeDictionary", budget: 0.9
    ) { scale in
      let (peers, picks) = Peers.with(count, scale)
      return (
        work: {
          nanoseconds(perOperationOf: picks.count) {
            for id in picks { try! peers.table.insert(peers.table.remove(id)!) }
          }
        },
        limit: {
          nanoseconds(perOperationOf: picks.count) {
            for id in picks { peers.tree[id] = peers.tree.removeValue(forKey: id)! }
          }
        }
      )
    },
    Row(
      workload: "remove one of \(name) records and insert it again, and in order", limit: "of an OrderedDictionary",
      budget: nil, rounds: 1
    ) { scale in
      let (peers, picks) = Peers.with(count, scale)
      var next = 0
      return (
        work: {
          nanoseconds(perOperationOf: picks.count) {
            for id in picks { try! peers.table.insert(peers.table.remove(id)!) }
          }
        },
        limit: {
          nanoseconds(perOperationOf: 1) {
            // A different one each time: one that is already last is removed immediately.
            let id = picks[next % picks.count]
            peers.ordered[id] = peers.ordered.removeValue(forKey: id)!
            next += 1
          }
        }
      )
    },
  ]
}
