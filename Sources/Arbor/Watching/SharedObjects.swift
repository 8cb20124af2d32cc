/// Objects that are made once for a name, and shared for as long as somebody keeps them.
@MainActor
package final class SharedObjects<Name: Hashable> {
  private struct Entry {
    weak let object: AnyObject?
  }

  private var entries: [Name: Entry] = [:]

  /// The number of entries at which those are removed whose objects are gone.
  private var limit = 16

  package nonisolated init() {}

  /// The object with a name; nil if nobody keeps one.
  package func existing<Object: AnyObject>(_ name: Name, as _: Object.Type = Object.self) -> Object? {
    entries[name]?.object as? Object
  }

  /// The object with a name, which is made if nobody keeps one.
  package func object<Object: AnyObject>(_ name: Name, _ make: () -> Object) -> Object {
    if let object = existing(name, as: Object.self) { return object }
    let object = make()
    entries[name] = Entry(object: object)
    if entries.count >= limit {
      entries = entries.filter { $0.value.object != nil }
      limit = max(16, 2 * entries.count)
    }
    return object
  }
}
