import ArborEntities
import HashTreeCollections

private let million = 1_000_000

/// The cost of tables, compared with a dictionary that shares the common parts of its copies, and with one that does
/// not.
let entityRows = [
  Row(workload: "update one of 1,000,000 records, a snapshot kept", limit: "of a TreeDictionary", budget: 0.8) {
    scale in
    let (peers, picks) = Peers.with(million, scale)
    var snapshot = peers.tree
    return (
      work: { peers.updateKeepingSnapshots(picks) },
      limit: {
        nanoseconds(perOperationOf: picks.count) {
          for id in picks {
            peers.tree[id]!.copies &+= 1
            snapshot = peers.tree
          }
          consume(snapshot)
        }
      }
    )
  },
  Row(
    workload: "update one of 1,000,000 records, a snapshot kept, and a Dictionary", limit: "of a Dictionary",
    budget: nil, rounds: 1
  ) {
    scale in
    let (peers, picks) = Peers.with(million, scale)
    var snapshot = peers.dictionary
    return (
      work: { peers.updateKeepingSnapshots(picks) },
      limit: {
        nanoseconds(perOperationOf: 2) {
          for id in picks.prefix(2) {
            peers.dictionary[id]!.copies &+= 1
            snapshot = peers.dictionary
          }
          consume(snapshot)
        }
      }
    )
  },
  Row(workload: "build a table of 1,000,000 records, a record", limit: "a TreeDictionary", budget: 0.8, rounds: 1) {
    scale in
    let volumes = Volume.all(scale.count(million))
    return (
      work: { nanoseconds(perOperationOf: volumes.count) { consume(try! EntityTable(volumes)) } },
      limit: {
        nanoseconds(perOperationOf: volumes.count) {
          consume(TreeDictionary(uniqueKeysWithValues: volumes.lazy.map { ($0.id, $0) }))
        }
      }
    )
  },
  Row(workload: "iterate over 1,000,000 records, a record", limit: "of a TreeDictionary", budget: 0.2, rounds: 1) {
    scale in
    let (peers, _) = Peers.with(million, scale)
    return (
      work: {
        nanoseconds(perOperationOf: peers.table.count) {
          var sum = 0
          for volume in peers.table { sum &+= volume.copies }
          consume(sum)
        }
      },
      limit: {
        nanoseconds(perOperationOf: peers.tree.count) {
          var sum = 0
          for (_, volume) in peers.tree { sum &+= volume.copies }
          consume(sum)
        }
      }
    )
  },
  Row(workload: "the difference of two versions of 1,000,000 records, 100 changed", objects: 7_000, budget: 1) {
    scale in
    let (peers, picks) = Peers.with(million, scale)
    var changed = peers.table
    for id in picks.prefix(100) { try! changed.update(id) { $0.copies &+= 1 } }
    return { nanoseconds(perOperationOf: 1) { consume(changed.difference(from: peers.table)) } }
  },
  Row(workload: "a record of a table of 1,000,000 (bytes)", limit: "fixed", budget: 1, rounds: 1) { scale in
    let volumes = Volume.all(scale.count(million))
    return (
      work: {
        guard let before = allocatedBytes() else { return nil }
        let table = try! EntityTable(volumes)
        let after = allocatedBytes()
        return withExtendedLifetime(table) { after.map { Double($0 - before) / Double(volumes.count) } }
      },
      limit: { 160 }
    )
  },
  Row(workload: "a record of a table of 1,000,000, put in one by one (bytes)", limit: "fixed", budget: 1, rounds: 1) {
    scale in
    let volumes = Volume.all(scale.count(million))
    return (
      work: {
        guard let before = allocatedBytes() else { return nil }
        var table = EntityTable<Volume>()
        for volume in volumes { try! table.insert(volume) }
        let after = allocatedBytes()
        return withExtendedLifetime(table) { after.map { Double($0 - before) / Double(volumes.count) } }
      },
      limit: { 160 }
    )
  },
  Row(workload: "update the key of one of 1,000,000 records in a sorted index", objects: 330, budget: 1) { scale in
    let (tables, picks) = (SortedTable(scale), Volume.picks(scale.count(10_000), of: scale.count(million)))
    return {
      nanoseconds(perOperationOf: picks.count) {
        for id in picks {
          try! tables.table.update(id) { volume in
            volume.copies &+= 1
            volume.title = "volume \(volume.copies &* 7919 % 1_000_003)"
          }
        }
      }
    }
  },
  Row(workload: "insert one of 1,000,000 records into a sorted index", objects: 330, budget: 1) { scale in
    let (tables, count) = (SortedTable(scale), scale.count(5_000))
    var next = tables.table.count
    return {
      nanoseconds(perOperationOf: count) {
        for _ in 0..<count {
          try! tables.table.insert(SortedVolume(id: next, title: "volume \(next &* 7919 % 1_000_003)", copies: next))
          next += 1
        }
      }
    }
  },
]

/// A table with an index.
private final class SortedTable {
  var table: EntityTable<SortedVolume>

  init(_ scale: Scale) {
    table = try! EntityTable(
      Volume.all(scale.count(million)).map { SortedVolume(id: $0.id, title: $0.title, copies: $0.copies) }
    )
  }
}
