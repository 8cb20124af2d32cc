internal import Arbor

/// A value that describes its own composition, faster than its mirror, or with content that the mirror doesn't show.
protocol ShapedValue {
  var shape: ValueShape { get }
}

extension Optional: ShapedValue {
  var shape: ValueShape {
    switch self {
    case .none: ValueShape.none
    case .some(let wrapped): ValueShape.some(wrapped)
    }
  }
}

extension Array: ShapedValue {
  var shape: ValueShape { .list(ElementList(self)) }
}

extension Dictionary: ShapedValue {
  var shape: ValueShape { .entries(self, isSet: false, order: nil) }
}

extension Set: ShapedValue {
  var shape: ValueShape { .entries(self, isSet: true, order: nil) }
}

extension Stamped: ShapedValue {
  /// The stamp has no meaning for a reader.
  var shape: ValueShape { .wrapper(wrappedValue) }
}
