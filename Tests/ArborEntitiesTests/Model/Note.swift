/// A record without indexes, with `==`.
struct Note: ModelRecord, Equatable {
  var row: Row
}
