/// A part of a store's state of which a ``LogMonitor`` has not looked at all, as there is too much.
public struct LoggedOmission: Codable, Hashable, Sendable {
  /// The store whose state has the part.
  public var store: LoggedStore

  /// The path of the part, as that of a ``LoggedChange``.
  public var path: String

  /// The number of elements, records or fields that were left out; nil if nobody has counted them.
  public var count: Int?

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - store: The store whose state has the part.
  ///   - path: The path of the part, as that of a ``LoggedChange``.
  ///   - count: The number of elements, records or fields that were left out; nil if nobody has counted them.
  public init(store: LoggedStore, path: String, count: Int? = nil) {
    self.store = store
    self.path = path
    self.count = count
  }
}
