/// The Swift source of a value made of enums, structs, arrays and numbers, so that failures can be pasted as tests.
enum SourceText {
  static func of(_ value: Any) -> String {
    if let place = value as? Place {
      return "Place(.\(place.kind), \(place.number)\(place.part.map { ", .\($0)" } ?? ""))"
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum: return ofCase(value, mirror)
    case .optional: return mirror.children.first.map { of($0.value) } ?? "nil"
    case .collection: return "[" + mirror.children.map { of($0.value) }.joined(separator: ", ") + "]"
    case .struct: return "\(mirror.subjectType)(\(arguments(mirror)))"
    default: return "\(value)"
    }
  }

  private static func ofCase(_ value: Any, _ mirror: Mirror) -> String {
    guard let payload = mirror.children.first, let name = payload.label else { return ".\(value)" }
    let inner = Mirror(reflecting: payload.value)
    return ".\(name)(\(inner.displayStyle == .tuple ? arguments(inner) : of(payload.value)))"
  }

  private static func arguments(_ mirror: Mirror) -> String {
    mirror.children.map { child in
      guard let label = child.label, !label.hasPrefix(".") else { return of(child.value) }
      return "\(label): \(of(child.value))"
    }
    .joined(separator: ", ")
  }
}

extension WorldPlan {
  /// A test that plays the world.
  var test: String {
    let moves = moves.map { "      WorldPlan.Move(\($0.number), \(SourceText.of($0.operation)))," }
    return """
      @Test @MainActor func `a world that the engine and the model did not agree about`() {
        let plan = WorldPlan(
          seed: \(seed),
          moves: [
      \(moves.joined(separator: "\n"))
          ]
        )
        #expect(Simulation.difference(in: plan) == nil)
      }
      """
  }
}
