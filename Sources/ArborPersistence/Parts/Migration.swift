internal import Arbor

/// A step that converts a stored value from an older version to a later one.
///
/// ```swift
/// Persisted(
///   \AppState.settings, as: "settings", version: 4,
///   migrations: [
///     .from(1) { $0.rename("note", to: "title") },
///     .from(2) { $0.convert("size") { (points: Int) in Double(points) } },
///     .from(3) { (old: SettingsV3) in Settings(theme: old.theme, fontSize: old.size) },
///   ]
/// )
/// ```
///
/// - A migration **of the stored form** changes fields, and needs no copy of the older type. See ``StoredForm``. A
///   migration **between types** takes a value of the older type. You can mix both in any order.
/// - A new property with a default needs no migration: see ``StoredDefaults`` and ``Persisted``. If you raised the
///   version without a change, use `.from(1) { _ in }`.
/// - Each migration leads to the version of the next one in the list, and the last one to the declared version. So you
///   never change an old migration: a new version adds one.
/// - It is called on a queue of the storage, and must not wait for a store or a storage.
/// - A stored version without a migration is reported as an error, and so is a closure that throws. The stored value is
///   then kept aside, and never mistaken for a value of another version.
public struct Migration: Sendable {
  fileprivate enum Change: Sendable {
    /// Changes the stored form.
    case form(@Sendable (inout StoredForm) throws -> Void)

    /// Reads a value of one type, and converts it to another type.
    case value(
      read: @Sendable (StoredValue) throws -> any Sendable,
      migrate: @Sendable (any Sendable) throws -> any Sendable
    )
  }

  /// The version of the values that the migration takes.
  fileprivate let version: Int
  fileprivate let change: Change

  /// The types of the values that it takes and returns; nil if it changes the stored form.
  fileprivate let types: (old: any Any.Type, new: any Any.Type)?

  /// Makes a migration of the stored form.
  ///
  /// - Parameters:
  ///   - version: The version of the values that the migration takes.
  ///   - change: Changes the fields of a value. Called on a queue of the storage. Its errors are reported in the
  ///     ``LoadReport``. For a table it is called several times: for the stored records, and for the records that have
  ///     changed since.
  public static func from(
    _ version: Int,
    _ change: @escaping @Sendable (_ form: inout StoredForm) throws -> Void
  ) -> Migration {
    Migration(version: version, change: .form(change), types: nil)
  }

  /// Makes a migration between two types.
  ///
  /// - Parameters:
  ///   - version: The version of the type that the closure takes.
  ///   - migrate: Converts an old value to a new one. Called on a queue of the storage. Its errors are reported in the
  ///     ``LoadReport``. The new type must be `Encodable` if a migration of the stored form follows.
  public static func from<Old: Decodable & Sendable, New: Sendable>(
    _ version: Int,
    _ migrate: @escaping @Sendable (_ old: Old) throws -> New
  ) -> Migration {
    Migration(
      version: version,
      change: .value(read: { try $0.decode(Old.self).value }, migrate: { try migrate($0 as! Old) }),
      types: (Old.self, New.self)
    )
  }
}

/// The migrations of a value; each takes the result of the previous one.
package struct MigrationChain: Sendable {
  private let migrations: [Migration]

  /// The version to which the migrations lead.
  private let version: Int

  /// The name of the value.
  private let name: String

  /// Makes a chain that leads to a type. Stops the program if a migration doesn't take the result of the previous one.
  package init(_ migrations: [Migration], to type: any Any.Type, version: Int, of name: String) {
    if version < 1 { Misuse.versionBelowOne.stop(about: name) }
    (self.migrations, self.version, self.name) = (migrations, version, name)
    for (index, migration) in migrations.enumerated() {
      let isLast = index + 1 == migrations.count
      let nextVersion = isLast ? version : migrations[index + 1].version
      // Nil for a migration of the stored form, which takes any type that can be encoded.
      let taken: (any Any.Type)? = isLast ? type : migrations[index + 1].types?.old
      let fits = migration.types.map { types in taken.map { $0 == types.new } ?? (types.new is any Encodable.Type) }
      guard migration.version < nextVersion, fits != false else {
        Misuse.brokenMigrations.stop(about: "the migration of \(name) from version \(migration.version)")
      }
    }
  }

  /// Reads a stored value of any known version.
  ///
  /// - Parameters:
  ///   - stored: The value's bytes, the bytes of its differences, its version, and the name of its coding.
  ///   - declared: The coding of new values.
  ///   - initial: The value that provides missing properties; nil if there is none.
  /// - Returns: The value, and the paths of its missing properties.
  package func read<Value: Codable & Sendable>(
    _ type: Value.Type,
    _ stored: (bytes: [UInt8], differences: [[UInt8]], version: Int, coding: String),
    declared: any StorageCoding,
    over initial: Value? = nil
  ) throws(StoredValueError) -> (value: Value, filled: Set<String>) {
    var version = stored.version
    do {
      let value = try StoredValue(
        bytes: stored.bytes, differences: stored.differences, coding: stored.coding, declared: declared)
      guard version != self.version else { return try value.decode(type, over: initial) }
      guard let first = migrations.firstIndex(where: { $0.version == version }) else {
        throw StoredValueError.Reason.noMigration(to: self.version)
      }
      var moment = Moment.stored(value)
      for migration in migrations[first...] {
        version = migration.version
        moment = try moment.after(migration, value.coding)
      }
      version = self.version
      switch moment {
      case .value(let value): return (value as! Value, [])
      case .stored(let value): return try value.decode(type, over: initial)
      case .form(let form): return try form.value().decode(type, over: initial)
      }
    } catch {
      throw StoredValueError(name, version: version, error)
    }
  }

  /// The value between two migrations.
  private enum Moment {
    case stored(StoredValue)
    case form(TableForm)
    case value(any Sendable)

    func after(_ migration: Migration, _ coding: any StorageCoding) throws -> Moment {
      switch (migration.change, self) {
      case (.value(let read, let migrate), .stored(let value)): return .value(try migrate(read(value)))
      case (.value(let read, let migrate), .form(let form)): return .value(try migrate(read(form.value())))
      case (.value(_, let migrate), .value(let value)): return .value(try migrate(value))
      case (.form(let change), .stored(let value)): return .form(try TableForm(value).changed(by: change))
      case (.form(let change), .form(let form)): return .form(try form.changed(by: change))
      case (.form(let change), .value(let value)):
        // The type of the value was checked when the migrations were declared.
        let value = value as! any Encodable
        return .form(try TableForm(StoredContent(encoding: value, coding), coding).changed(by: change))
      }
    }
  }
}
