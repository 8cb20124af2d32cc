/// The parts of a node's own state to which features are scoped.
struct SimulatedParts: Sendable {
  var always = PartState(id: 0)
  var optional: PartState? = PartState(id: 0)

  /// Elements with different ids.
  var elements = [PartState(id: 0), PartState(id: 1)]

  /// The id of the first of many elements.
  private static let firstOfMany = 100

  /// The parts of a state whose parts don't matter.
  static let none = SimulatedParts(optional: nil, elements: [])

  mutating func change(_ verb: PartVerb) {
    switch verb {
    case .setOptional(let id): optional = id.map { PartState(id: $0) }
    case .insert(let id, let index):
      guard !elements.contains(where: { $0.id == id }) else { return }
      elements.insert(PartState(id: id), at: min(index, elements.count))
    case .remove(let id): elements.removeAll { $0.id == id }
    case .move(let id, let index):
      guard let old = elements.firstIndex(where: { $0.id == id }) else { return }
      let element = elements.remove(at: old)
      elements.insert(element, at: min(index, elements.count))
    case .exchange(let id, let new):
      guard !elements.contains(where: { $0.id == new }), let index = elements.firstIndex(where: { $0.id == id }) else {
        return
      }
      elements[index] = PartState(id: new)
    case .fill(let count):
      let ids = Set(elements.map(\.id))
      elements += (SimulatedParts.firstOfMany..<SimulatedParts.firstOfMany + count).filter { !ids.contains($0) }
        .map { PartState(id: $0) }
    case .empty: elements.removeAll { $0.id >= SimulatedParts.firstOfMany }
    case .toggle(.always): always.isOn.toggle()
    case .toggle(.optional): optional?.isOn.toggle()
    case .toggle(.element(let id)):
      if let index = elements.firstIndex(where: { $0.id == id }) { elements[index].isOn.toggle() }
    }
  }

  /// A number that distinguishes these parts from others.
  var digest: UInt64 {
    ([always] + [optional].compactMap(\.self) + elements).reduce(0) { Digest.mix($0, $1.digest) }
  }
}

/// A part of a node's own state.
struct PartState: Identifiable, Sendable {
  let id: Int
  private var history: UInt64 = 0

  /// `true` while the work of the part should run.
  var isOn: Bool

  init(id: Int) {
    self.id = id
    isOn = id.isMultiple(of: 2)
  }

  /// The reducer of every part.
  mutating func reduce(_ action: SimulatedAction) {
    history = Digest.mix(history, action.digest)
  }

  var digest: UInt64 { Digest.mix(UInt64(id), history) }
}

/// A part to which an action belongs.
enum StatePart: Hashable, Sendable {
  case always, optional
  case element(Int)

  /// The kinds of parts, for each of which there may be features.
  enum Kind: UInt8, CaseIterable, Sendable {
    case always, optional, element
  }

  var kind: Kind {
    switch self {
    case .always: .always
    case .optional: .optional
    case .element: .element
    }
  }

  /// The id of an element.
  var element: Int? {
    if case .element(let id) = self { id } else { nil }
  }
}

/// A change of parts by a reducer of the whole state.
enum PartVerb: Equatable, Sendable {
  /// Replaces the optional part by a new one, or by nil.
  case setOptional(id: Int?)
  case insert(id: Int, at: Int)
  case remove(id: Int)
  case move(id: Int, to: Int)
  case exchange(id: Int, for: Int)
  case toggle(StatePart)

  /// Adds many elements, every second of which is on.
  case fill(count: Int)

  /// Removes the added elements.
  case empty
}
