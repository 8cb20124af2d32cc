/// What a value is made of.
enum ValueShape {
  typealias Part = (label: String, value: Any)

  /// Nothing that its mirror would tell.
  case leaf
  case none
  case some(Any)

  /// A struct, a tuple or an object.
  case parts([Part])
  case enumeration(name: String, payload: [Part])
  case list([Any])
  case table([AnyHashable: Any])
  case bag(Set<AnyHashable>)

  init(of value: Any) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      self = mirror.children.first.map { .some($0.value) } ?? .none
    case .collection:
      self = .list(mirror.children.map(\.value))
    case .dictionary:
      self = ValueShape.table(of: mirror) ?? .leaf
    case .set:
      let elements = mirror.children.compactMap { $0.value as? AnyHashable }
      self = elements.count == mirror.children.count ? .bag(Set(elements)) : .leaf
    case .enum:
      guard let child = mirror.children.first else {
        self = .leaf
        return
      }
      self = .enumeration(name: child.label ?? "", payload: ValueShape.payload(child.value))
    case .tuple:
      self = .parts(ValueShape.parts(of: mirror))
    case .struct, .class, .foreignReference:
      // What the language's own libraries keep inside says nothing to a reader.
      self = ValueShape.isForeign(mirror.subjectType) ? .leaf : .parts(ValueShape.allParts(of: mirror))
    case nil:
      self = .leaf
    @unknown default:
      self = .leaf
    }
  }

  private static func table(of mirror: Mirror) -> ValueShape? {
    var table: [AnyHashable: Any] = [:]
    for child in mirror.children {
      guard let (key, value) = child.value as? (key: AnyHashable, value: Any) else { return nil }
      table[key] = value
    }
    return .table(table)
  }

  private static func payload(_ value: Any) -> [Part] {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .tuple ? parts(of: mirror) : [("", value)]
  }

  private static func parts(of mirror: Mirror) -> [Part] {
    mirror.children.enumerated().map { index, child in
      // Those of a tuple without labels are called ".0", ".1" and so on.
      let label = child.label.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
      return (label ?? "\(index)", child.value)
    }
  }

  /// The parts of an object, those of its superclasses first.
  private static func allParts(of mirror: Mirror) -> [Part] {
    (mirror.superclassMirror.map(allParts) ?? []) + parts(of: mirror)
  }

  private static func isForeign(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch."].contains { name.hasPrefix($0) }
  }
}
