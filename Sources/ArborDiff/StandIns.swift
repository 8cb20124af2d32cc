/// Finds values that show another value than they are: those whose mirrors are those of something inside.
package enum StandIns {
  /// Whether a value, or a part of it, shows another one.
  ///
  /// - Bounded as a ``StateDiff``: what is deeper is not looked at.
  package static func areIn<State>(_ state: State, limits: StateDiffLimits = StateDiffLimits()) -> Bool {
    var parts = limits.parts
    return find(in: state, depth: limits.depth, &parts)
  }

  private static func find(in value: Any, depth: Int, _ partsLeft: inout Int) -> Bool {
    partsLeft -= 1
    guard depth > 0, partsLeft > 0 else { return false }
    // What has no parts is told by its type: a mirror of each number would take its time.
    if value is Int || value is String || value is Bool || value is Double { return false }
    if Mirror(reflecting: value).subjectType != type(of: value) { return true }
    for part in parts(of: value) where find(in: part, depth: depth - 1, &partsLeft) { return true }
    return false
  }

  private static func parts(of value: Any) -> [Any] {
    switch ValueShape(of: value) {
    case .leaf, .none: []
    case .some(let wrapped): [wrapped]
    case .parts(let parts), .enumeration(_, let parts): parts.map(\.value)
    case .list(let elements): elements
    case .table(let table): table.flatMap { [$0.key.base, $0.value] }
    case .bag(let elements): elements.map(\.base)
    }
  }
}
