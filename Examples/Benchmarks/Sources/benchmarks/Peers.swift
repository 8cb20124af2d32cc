import ArborEntities
import HashTreeCollections
import OrderedCollections

/// Tables of the same records.
final class Peers {
  var table: EntityTable<Volume>
  var tree: TreeDictionary<Int, Volume>
  var dictionary: [Int: Volume]
  var ordered: OrderedDictionary<Int, Volume>

  private init(_ volumes: [Volume]) {
    table = try! EntityTable(volumes)
    tree = TreeDictionary(uniqueKeysWithValues: volumes.lazy.map { ($0.id, $0) })
    dictionary = Dictionary(uniqueKeysWithValues: volumes.lazy.map { ($0.id, $0) })
    ordered = OrderedDictionary(uniqueKeysWithValues: volumes.lazy.map { ($0.id, $0) })
  }

  /// Tables with a number of records, and random ids of some of them.
  static func with(_ count: Int, _ scale: Scale) -> (peers: Peers, picks: [Int]) {
    let count = scale.count(count)
    return (Peers(Volume.all(count)), Volume.picks(scale.count(20_000), of: count))
  }

  func update(_ id: Int) {
    try! table.update(id) { $0.copies &+= 1 }
  }

  /// Times updates of the table, while the previous version is kept each time.
  func updateKeepingSnapshots(_ ids: [Int]) -> Double {
    nanoseconds(perOperationOf: ids.count) {
      var snapshot = table
      for id in ids {
        update(id)
        snapshot = table
      }
      consume(snapshot)
    }
  }
}
