package import Arbor

/// The composition of a value.
package enum ValueShape {
  package typealias Part = (label: String, value: Any)

  /// A value whose mirror shows no parts.
  case leaf
  case none
  case some(Any)

  /// A value that only wraps another value.
  case wrapper(Any)

  /// A struct, a tuple or an object.
  case parts([Part])
  case enumeration(name: String, payload: [Part])
  case list(ElementList)

  /// A dictionary or a set. Its keys are in order if it has one.
  case entries(any KeyedEntries, isSet: Bool, order: [AnyHashable]?)
  case table(any VersionedTable)

  /// Finds the composition of a value.
  ///
  /// - Parameter limit: The maximum number of elements taken from a collection that only its mirror shows. A dictionary
  ///   or a set with more elements becomes a list of some of them.
  package init(of value: Any, atMost limit: Int) {
    if let value = value as? any ShapedValue {
      self = value.shape
      return
    }
    if let table = value as? any VersionedTable {
      self = .table(table)
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      self = mirror.children.first.map { .some($0.value) } ?? .none
    case .collection:
      self = .list(ElementList(mirror.children, atMost: limit))
    case .dictionary:
      self = ValueShape.dictionary(of: mirror, atMost: limit) ?? .leaf
    case .set:
      self = ValueShape.set(of: mirror, atMost: limit) ?? .leaf
    case .enum:
      guard let child = mirror.children.first else {
        self = .leaf
        return
      }
      self = .enumeration(name: child.label ?? "", payload: ValueShape.payload(child.value))
    case .tuple:
      self = .parts(ValueShape.parts(of: mirror))
    case .struct, .class, .foreignReference:
      // The properties inside a type of Swift's own libraries have no meaning for a reader.
      self = ValueShape.isForeign(mirror.subjectType) ? .leaf : .parts(ValueShape.allParts(of: mirror))
    case nil:
      // Like a mirror that was made without a style.
      let hasParts = !mirror.children.isEmpty && !ValueShape.isForeign(mirror.subjectType)
      self = hasParts ? .parts(ValueShape.parts(of: mirror)) : .leaf
    @unknown default:
      self = .leaf
    }
  }

  /// Returns `true` if a value has a mirror written by its author, which may show anything.
  static func hasOwnMirror(_ value: Any) -> Bool {
    value is any CustomReflectable && !(value is any ShapedValue) && !(value is any VersionedTable)
      && !isForeign(type(of: value))
  }

  private static func dictionary(of mirror: Mirror, atMost limit: Int) -> ValueShape? {
    var entries: [AnyHashable: Any] = [:]
    var order: [AnyHashable] = []
    for child in mirror.children {
      guard order.count < limit else { return .list(ElementList(mirror.children, atMost: limit)) }
      guard let (key, value) = child.value as? (key: AnyHashable, value: Any) else { return nil }
      entries[key] = value
      order.append(key)
    }
    return .entries(entries, isSet: false, order: order)
  }

  private static func set(of mirror: Mirror, atMost limit: Int) -> ValueShape? {
    var elements: Set<AnyHashable> = []
    for child in mirror.children {
      guard elements.count < limit else { return .list(ElementList(mirror.children, atMost: limit)) }
      guard let element = child.value as? AnyHashable else { return nil }
      elements.insert(element)
    }
    return .entries(elements, isSet: true, order: nil)
  }

  private static func payload(_ value: Any) -> [Part] {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .tuple ? parts(of: mirror) : [("", value)]
  }

  private static func parts(of mirror: Mirror) -> [Part] {
    mirror.children.enumerated().map { index, child in
      // Mirrors name the elements of a tuple without labels ".0", ".1" and so on.
      let label = child.label.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
      return (label ?? "\(index)", child.value)
    }
  }

  /// Returns the parts of an object, those of its superclasses first.
  private static func allParts(of mirror: Mirror) -> [Part] {
    (mirror.superclassMirror.map(allParts) ?? []) + parts(of: mirror)
  }

  private static func isForeign(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch."].contains { name.hasPrefix($0) }
  }
}
