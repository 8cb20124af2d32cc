/// The floors of a module: folders of its sources, of which each names those below it and none above.
struct Floors: Sendable {
  /// A folder, by its path in the module; the module's own folder is named "".
  typealias Floor = String

  /// The floors from the top down. Those of one row stand side by side and do not name each other.
  let rows: [[Floor]]

  /// What stands side by side and is named all the same: from a floor to those that it may name.
  let neighbors: [Floor: Set<Floor>]

  /// How many files of a floor may name each other in a circle; none where a floor is not named.
  let circles: [Floor: Int]

  func row(of floor: Floor) -> Int? {
    rows.firstIndex { $0.contains(floor) }
  }

  /// `true` if a file of one floor may name what another one declares.
  func mayName(_ named: Floor, from floor: Floor) -> Bool {
    guard named != floor else { return true }
    guard let namedRow = row(of: named), let row = row(of: floor) else { return false }
    return namedRow > row || neighbors[floor]?.contains(named) == true
  }

  /// The floors that may name what a floor declares, that floor included.
  func floors(thatMayName named: Floor) -> [Floor] {
    rows.joined().filter { mayName(named, from: $0) }
  }
}

extension Floors {
  /// The floors of `Arbor`.
  static let arbor = Floors(
    rows: [
      [""],
      ["Making", "History"],
      ["Features"],
      ["Effects", "Watching", "Commits", "Activities", "Monitoring"],
      ["Tasks"],
      ["Interceptors"],
      ["Stores"],
      ["Steps"],
      ["Engine"],
      ["Ground"],
    ],
    // Activities are delivered as states are, and values are written to the parts of commit stores.
    neighbors: ["Activities": ["Watching"], "Commits": ["Watching"]],
    // A tree, its nodes and what is accepted for them know each other; and so do a table, its tasks and their lanes.
    circles: ["Engine": 9, "Tasks": 3]
  )
}
