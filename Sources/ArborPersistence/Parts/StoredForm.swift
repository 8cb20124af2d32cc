internal import Arbor

/// The stored form of a value, without its type. A migration can rename, add, remove and convert its fields.
///
/// ```swift
/// migrations: [
///   .from(1) { $0.rename("note", to: "title") },
///   .from(2) { form in
///     form.add("people.*.isActive", true)
///     form.convert("price") { (euros: Int) in euros * 100 }
///   },
/// ]
/// ```
///
/// - **Fields** have the names of a type's `CodingKeys`, by default the names of its properties. You find them by
///   paths; see ``StoredPath``. If there is nothing at a path, nothing happens, because a property that is nil isn't
///   stored.
/// - **Enums**, such as actions, have a field with the name of the case. Its fields are the associated values: `title`,
///   or `_0` without a label. `rename("add", to: "insert")` renames a case.
/// - **Tables** are arrays of their records. Differences since a table was stored completely are changed as well.
/// - **Errors** are kept until the migration ends: no further changes are made, and the value counts as unreadable. The
///   error is a ``StoredValueError`` with the path.
/// - The form is the same in each coding. Your own ``StorageCoding`` must record the kind of each value, as JSON and
///   property lists do.
public struct StoredForm: Sendable {
  /// An error of a change.
  struct Failure: Error {
    let path: String
    let reason: StoredValueError.Reason
  }

  var content: StoredContent
  let coding: any StorageCoding

  /// The first error.
  private(set) var failure: Failure?

  /// The path of the case for which the value was dropped; nil if it wasn't dropped.
  private(set) var dropped: String?

  init(_ content: StoredContent, _ coding: any StorageCoding) {
    (self.content, self.coding) = (content, coding)
  }

  // MARK: Reading

  /// Returns `true` if a field exists, even if it is null.
  ///
  /// - Parameter path: The path of the field.
  public func contains(_ path: StoredPath) -> Bool { first(path) != nil }

  /// Returns the first value at a path; nil if there is none, or if it is null.
  ///
  /// - Parameters:
  ///   - path: The path of the field; an empty path is the form itself.
  ///   - type: The type of the value.
  /// - Throws: An error with the path and the error of the coding, if the field doesn't have the type.
  public func value<Value: Decodable>(_ path: StoredPath, as type: Value.Type) throws -> Value? {
    guard let content = first(path), content != .null else { return nil }
    do {
      return try content.decoded(as: type, coding)
    } catch {
      let path = ["\(path)"] + StoredValueError.path(of: error, from: 1)
      throw Failure(path: path.joined(separator: "."), reason: StoredValueError.Reason(error))
    }
  }

  private func first(_ path: StoredPath) -> StoredContent? {
    var found: StoredContent?
    content.visit(path.steps[...], []) { content, _ in found = found ?? content }
    return found
  }

  // MARK: Changing

  /// Renames a field in its object.
  ///
  /// - If the object already has a field with the new name that isn't null, that is an error.
  /// - Parameters:
  ///   - path: The path of the field, which ends with its name.
  ///   - name: The new name.
  public mutating func rename(_ path: StoredPath, to name: String) {
    changeParents(of: path) { members, key, place in
      guard key != name, let index = members.firstIndex(where: { $0.key == key }) else { return nil }
      if let other = members.firstIndex(where: { $0.key == name }) {
        guard members[other].value == .null else {
          return Failure(path: place(name), reason: .failed("\(key) cannot be renamed: this field already exists"))
        }
        members[other].value = members[index].value
        members.remove(at: index)
      } else {
        members[index].key = name
      }
      return nil
    }
  }

  /// Adds a field. An existing field stays as it is.
  ///
  /// - Parameters:
  ///   - path: The path of the field, which ends with its name. The object that contains it must exist.
  ///   - value: The value of the field.
  public mutating func add(_ path: StoredPath, _ value: some Encodable) {
    guard failure == nil else { return }
    do {
      let content = try StoredContent(encoding: value, coding)
      changeParents(of: path) { members, key, _ in
        if !members.contains(where: { $0.key == key }) { members.append(StoredContent.Member(key, content)) }
        return nil
      }
    } catch {
      failure = Failure(path: "\(path)", reason: StoredValueError.Reason(error))
    }
  }

  /// Removes a field, or each element of an array.
  ///
  /// - Parameter path: The path of the field.
  public mutating func remove(_ path: StoredPath) {
    change(path) { _, _ in false }
  }

  /// Converts a field. If the field is null, it stays null.
  ///
  /// - Parameters:
  ///   - path: The path of the field.
  ///   - convert: Converts the old value to a new one. Called on a queue of the storage.
  public mutating func convert<Old: Decodable, New: Encodable>(
    _ path: StoredPath,
    _ convert: (_ old: Old) throws -> New
  ) {
    change(path) { [coding] content, _ in
      guard content != .null else { return true }
      let old = try content.decoded(as: Old.self, coding)
      content = try StoredContent(encoding: convert(old), coding)
      return true
    }
  }

  /// Changes the fields inside a field, such as the fields of each element.
  ///
  /// ```swift
  /// form.edit("people.*") { person in
  ///   person.rename("name", to: "fullName")
  ///   person.drop(case: "robot")  // such an element is removed
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the field.
  ///   - body: Changes one value. Called on a queue of the storage. If it drops the value, the value is removed.
  public mutating func edit(_ path: StoredPath, _ body: (_ form: inout StoredForm) throws -> Void) {
    change(path) { [coding] content, _ in
      var form = StoredForm(content, coding)
      content = .null
      try body(&form)
      if let failure = form.failure { throw failure }
      content = form.content
      return form.dropped == nil
    }
  }

  /// Drops the value: an action isn't reduced again, an element is removed, and a part counts as unreadable.
  ///
  /// - Dropped actions are counted in the ``JournalReport``. An action of a shared log can't be dropped: it counts as
  ///   unreadable.
  /// - Parameter path: The path of an enum case or another field. If it doesn't exist, the value isn't dropped. The
  ///   default, an empty path, drops every value.
  public mutating func drop(case path: StoredPath = []) {
    guard failure == nil, dropped == nil, contains(path) else { return }
    dropped = "\(path)"
  }

  // MARK: Paths

  /// Changes each value at a path. If the body returns `false`, the value is removed.
  private mutating func change(
    _ path: StoredPath,
    _ body: (_ content: inout StoredContent, _ place: [String]) throws -> Bool
  ) {
    guard failure == nil else { return }
    var failure: Failure?
    _ = content.change(path.steps[...], []) { content, place in
      guard failure == nil else { return true }
      do {
        return try body(&content, place)
      } catch let error as Failure {
        let path = (place + [error.path]).filter { !$0.isEmpty }.joined(separator: ".")
        failure = Failure(path: path, reason: error.reason)
      } catch {
        let inside = StoredValueError.path(of: error, from: 1)
        failure = Failure(path: (place + inside).joined(separator: "."), reason: StoredValueError.Reason(error))
      }
      return true
    }
    self.failure = failure
  }

  /// Changes the objects that contain the fields of a path.
  private mutating func changeParents(
    of path: StoredPath,
    _ body: (
      _ members: inout [StoredContent.Member], _ key: String, _ place: (_ name: String) -> String
    ) -> Failure?
  ) {
    guard failure == nil else { return }
    guard case .key(let key)? = path.steps.last else {
      failure = Failure(path: "\(path)", reason: .failed("the path does not end with the name of a field"))
      return
    }
    var failure: Failure?
    change(StoredPath(path.steps.dropLast())) { content, place in
      guard failure == nil, case .object(var members) = content else { return true }
      content = .null
      failure = body(&members, key) { (place + [$0]).joined(separator: ".") }
      content = .object(members)
      return true
    }
    self.failure = self.failure ?? failure
  }
}

extension StoredPath {
  fileprivate init(_ steps: ArraySlice<Step>) {
    self.init(Array(steps))
  }
}

extension StoredContent {
  /// Calls a body with each value at a path, and with the keys and indexes that lead to it.
  fileprivate func visit(
    _ steps: ArraySlice<StoredPath.Step>,
    _ place: [String],
    _ body: (_ content: StoredContent, _ place: [String]) -> Void
  ) {
    var copy = self
    _ = copy.change(steps, place) { content, place in
      body(content, place)
      return true
    }
  }

  /// Changes each value at a path. Returns `false` if this value must be removed.
  fileprivate mutating func change(
    _ steps: ArraySlice<StoredPath.Step>,
    _ place: [String],
    _ body: (_ content: inout StoredContent, _ place: [String]) -> Bool
  ) -> Bool {
    guard let step = steps.first else { return body(&self, place) }
    let rest = steps.dropFirst()
    switch self {
    case .object(var members):
      self = .null
      let isTable = Self.isTable(members)
      members.changeAndRemove { member in
        if case .key(let key) = step, key != member.key { return true }
        if step == .each, isTable {
          // Only the records are changed, and not the two fields that contain the records and the orders.
          return member.key != "records" || member.value.change(steps, place + [member.key], body)
        }
        return member.value.change(rest, place + [member.key], body)
      }
      self = .object(members)
    case .array(var elements) where step == .each:
      self = .null
      var index = 0
      elements.changeAndRemove { element in
        defer { index += 1 }
        return element.change(rest, place + ["\(index)"], body)
      }
      self = .array(elements)
    default: break
    }
    return true
  }

  /// Returns `true` for the fields of a table with manual orders.
  private static func isTable(_ members: [Member]) -> Bool {
    guard members.count == 2, case .array? = members.first(where: { $0.key == "records" })?.value,
      case .object? = members.first(where: { $0.key == "orders" })?.value
    else { return false }
    return true
  }
}

extension Array {
  /// Changes each element in place, and removes the elements for which the body returns `false`.
  fileprivate mutating func changeAndRemove(_ body: (inout Element) -> Bool) {
    var kept = 0
    for index in indices where body(&self[index]) {
      if kept != index { swapAt(kept, index) }
      kept += 1
    }
    removeSubrange(kept...)
  }
}
