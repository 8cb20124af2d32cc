internal import Arbor

/// A step from the value of an older version to that of the next one.
///
/// ```swift
/// Persisted(
///   \AppState.settings, as: "settings", version: 3,
///   migrations: [
///     .from(1) { (old: SettingsV1) in SettingsV2(theme: old.theme, fontSize: 12) },
///     .from(2) { (old: SettingsV2) in Settings(old) },
///   ]
/// )
/// ```
///
/// - Each leads to the version of the one behind it in the list, and the last one to the declared version. So an old
///   migration is never touched again: a new version adds one.
/// - It is called on a queue of the storage, and must not wait for a store or a storage.
/// - A stored version without a migration is told as an error, and so is a closure that throws: what was stored is kept
///   aside then, and never taken for a value of another version.
public struct Migration: Sendable {
  /// The version from which it leads.
  let version: Int

  /// The type that it takes, and the type that it returns.
  let (oldType, newType): (any Any.Type, any Any.Type)

  /// Reads a stored value of the old type.
  let read: @Sendable (StoredValue) throws -> any Sendable

  /// Makes the new value of an old one, which has the old type.
  let migrate: @Sendable (any Sendable) throws -> any Sendable

  /// Makes a migration from a version.
  ///
  /// - Parameters:
  ///   - version: The version from which it leads: that of the type that the closure takes.
  ///   - migrate: Makes the new value of an old one. Called on a queue of the storage; what it throws is told in the
  ///     ``LoadReport``.
  public static func from<Old: Decodable & Sendable, New: Sendable>(
    _ version: Int,
    _ migrate: @escaping @Sendable (_ old: Old) throws -> New
  ) -> Migration {
    Migration(
      version: version,
      oldType: Old.self,
      newType: New.self,
      read: { try $0.decode(Old.self) },
      migrate: { try migrate($0 as! Old) }
    )
  }
}

/// The migrations of a value, of which each takes what the one before returns.
package struct MigrationChain: Sendable {
  private let migrations: [Migration]

  /// The version to which they lead.
  private let version: Int

  /// Makes a chain that leads to a type. Stops the program if one of them does not take what the one before returns.
  package init(_ migrations: [Migration], to type: any Any.Type, version: Int, of name: String) {
    if version < 1 { Misuse.versionBelowOne.stop(about: name) }
    self.version = version
    self.migrations = migrations
    for (index, migration) in migrations.enumerated() {
      let next = migrations.dropFirst(index + 1).first
      let isInOrder = migration.version < next?.version ?? version
      guard isInOrder, migration.newType == next?.oldType ?? type else {
        Misuse.brokenMigrations.stop(about: "the migration of \(name) from version \(migration.version)")
      }
    }
  }

  /// Reads a stored value of any version that is known.
  package func read<Value: Decodable & Sendable>(_ stored: StoredValue, as type: Value.Type) throws -> Value {
    guard stored.version != version else { return try stored.decode(type) }
    guard let first = migrations.firstIndex(where: { $0.version == stored.version }) else {
      throw StoredValueError.noMigration(from: stored.version, to: version)
    }
    var value = try migrations[first].read(stored)
    for migration in migrations[first...] { value = try migration.migrate(value) }
    return value as! Value
  }
}
