/// An operation on a table.
enum TableOperation: Sendable {
  case insert(Row)
  case insertAll([Row])
  case upsert(Row)
  case upsertMerging(Row, RowMerge)
  case upsertAll([Row], RowMerge)
  case merge([Row], RowMerge)
  case update(ModelID, RowChange)
  case updateSome([ModelID], RowChange)
  case updateAll(RowChange)
  case remove(ModelID)
  case removeSome([ModelID])
  case removeWhere(RowCondition)
  case removeAll
  case filter(RowCondition)
  case rename([ModelID: ModelID], RowRenaming)
  case insertInOrder(ModelID, at: Int, order: Int)
  case appendToOrder(ModelID, order: Int)
  case moveInOrder(ModelID, to: Int, order: Int)
  case removeFromOrder(ModelID, order: Int)

  /// `true` if it concerns a single record, so that it can fail in only one way.
  var isSingle: Bool {
    switch self {
    case .insert, .upsert, .upsertMerging, .update, .remove: true
    case .insertInOrder, .appendToOrder, .moveInOrder, .removeFromOrder: true
    case .insertAll, .upsertAll, .merge, .updateSome, .updateAll, .removeSome, .removeWhere, .removeAll: false
    case .filter, .rename: false
    }
  }
}
