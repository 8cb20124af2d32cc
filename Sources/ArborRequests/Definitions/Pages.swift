internal import Arbor

/// The pages of a list that are loaded, in their order: the answer of a request that is made with
/// ``Request/init(pages:first:next:previous:atMost:freshFor:keptFor:retries:backoff:every:timeout:tags:fetch:)``.
///
/// - It is never empty once it is an answer.
/// - Pages are added at both ends by ``RequestAction/fetchPage(_:_:)``.
public struct Pages<Cursor: Codable & Hashable & Sendable, Page: Equatable & Sendable>: Equatable, Sendable {
  /// A page, with the cursors of its neighbors.
  struct Part: Equatable, Sendable {
    let cursor: Cursor
    var page: Page
    let next: Cursor?
    let previous: Cursor?
  }

  private(set) var parts: [Part]

  init(_ parts: [Part]) {
    self.parts = parts
  }

  /// The pages, in their order.
  public var pages: [Page] { parts.map(\.page) }

  /// `true` if the last page has a page after it.
  public var hasNext: Bool { parts.last?.next != nil }

  /// `true` if the first page has a page before it.
  public var hasPrevious: Bool { parts.first?.previous != nil }

  /// Changes each page, for the optimistic part of a ``Change``.
  ///
  /// - Parameter change: Changes a page.
  public mutating func changeEach(_ change: (_ page: inout Page) throws -> Void) rethrows {
    for index in parts.indices { try change(&parts[index].page) }
  }

  /// Returns other pages with the same cursors.
  ///
  /// - Parameter transform: Makes the other page of a page.
  public func mapPages<Other>(_ transform: (_ page: Page) throws -> Other) rethrows -> Pages<Cursor, Other> {
    Pages<Cursor, Other>(
      try parts.map { part in
        .init(cursor: part.cursor, page: try transform(part.page), next: part.next, previous: part.previous)
      }
    )
  }
}

extension Pages.Part: Codable where Page: Codable {}
extension Pages: Codable where Page: Codable {}

/// A direction in a list of pages.
public enum PageDirection: String, Codable, Hashable, Sendable {
  /// Toward the end of the list.
  case next

  /// Toward the beginning of the list.
  case previous

  /// Returns loaded elements with others at one end. Without a place for all, elements at the other end are dropped.
  func join<Element>(_ loaded: [Element], _ added: [Element], atMost limit: Int) -> [Element] {
    switch self {
    case .next: Array((loaded + added).suffix(limit))
    case .previous: Array((added + loaded).prefix(limit))
    }
  }
}

/// Pages without their types, for the reducer.
protocol AnyPages: Equatable, Sendable {
  /// The number of pages.
  var count: Int { get }

  /// The cursor of the first page.
  var first: RequestValue? { get }

  /// Returns the cursor of the page after the last one, or before the first one; nil if there is none.
  func cursor(_ direction: PageDirection) -> RequestValue?

  /// Returns these pages with others at one end, as ``PageDirection/join(_:_:atMost:)`` does.
  func adding(_ other: any AnyPages, _ direction: PageDirection, atMost limit: Int) -> RequestValue
}

extension Pages: AnyPages {
  var count: Int { parts.count }

  var first: RequestValue? { parts.first.map { RequestValue($0.cursor) } }

  func cursor(_ direction: PageDirection) -> RequestValue? {
    let cursor = direction == .next ? parts.last?.next : parts.first?.previous
    return cursor.map { RequestValue($0) }
  }

  func adding(_ other: any AnyPages, _ direction: PageDirection, atMost limit: Int) -> RequestValue {
    guard let other = other as? Pages else { return RequestValue(self) }
    return RequestValue(Pages(direction.join(parts, other.parts, atMost: limit)))
  }
}

extension RequestValue {
  /// The value as pages; nil if it is another value.
  var pages: (any AnyPages)? {
    if case .value(let value) = content { value as? any AnyPages } else { nil }
  }
}
