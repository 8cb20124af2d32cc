/// A record without indexes and without `==`.
struct Sketch: ModelRecord {
  var row: Row
}
