internal import Arbor

/// The reason why a table refuses a change. The table has not changed.
public enum EntityError<Element: Identifiable & Sendable>: Error where Element.ID: Sendable {
  /// There is no record with this id.
  case missing(Element.ID)

  /// There is already a record with this id, or there would be two.
  case exists(Element.ID)

  /// A record would have an id that is not equal to itself, such as NaN, and could never be found.
  case notEqualToItself(_ id: String)

  /// A closure that changes a record gave it another id. To change ids, use ``EntityTable/rename(_:by:)``.
  case changedID(from: Element.ID, to: Element.ID)

  /// A closure that should give a record its new id gave it a different id, or kept the old one.
  case notRenamed(Element.ID, to: Element.ID)

  /// A record would have the unique key of another record; see ``UniqueIndex``.
  case duplicateKey(_ key: String, of: Element.ID, owner: Element.ID)

  /// The record is already in this ``ManualOrder``.
  case alreadyInOrder(Element.ID)

  /// The record is not in this ``ManualOrder``.
  case notInOrder(Element.ID)

  /// A ``ManualOrder`` with this number of records has no such position.
  case noPosition(_ position: Int, count: Int)
}

extension EntityError: Equatable {}

extension EntityError: CustomStringConvertible {
  /// The problem, with the ids.
  public var description: String {
    func name(_ id: some Any) -> String {
      let (owner, text) = ("\(Element.self)", EntityError.text(of: id))
      return text.hasPrefix("\(owner)(") ? text : "\(owner) \(text)"
    }
    return switch self {
    case .missing(let id): "there is no \(name(id))"
    case .exists(let id): "\(name(id)) already exists, or occurs twice"
    case .notEqualToItself(let id): "\(name(id)) could never be found, because its id is not equal to itself"
    case .changedID(let old, let new):
      "the id of \(name(old)) was changed to \(EntityError.text(of: new)), but ids must not change here"
    case .notRenamed(let old, let new):
      "the closure must give \(name(old)) the id \(EntityError.text(of: new)), but did not"
    case .duplicateKey(let key, let id, let owner):
      "\(name(id)) would have the key \"\(key)\", which \(name(owner)) already has"
    case .alreadyInOrder(let id): "\(name(id)) is already in the order"
    case .notInOrder(let id): "\(name(id)) is not in the order"
    case .noPosition(let position, let count): "an order of \(count) has no position \(position)"
    }
  }
}

extension EntityError {
  /// The text of an id or a key. A typed id names its owner; confidential content is left out.
  @usableFromInline
  static func text(of id: some Any) -> String {
    Confidentiality.description(of: id) { ($0 as? any DebugShown)?.debugDescription ?? String(describing: $0) }
  }
}
