internal import Arbor

/// A value that says by itself what it is made of: more quickly than its mirror does, or what that does not show.
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
  /// The stamp says nothing to a reader.
  var shape: ValueShape { .wrapper(wrappedValue) }
}
