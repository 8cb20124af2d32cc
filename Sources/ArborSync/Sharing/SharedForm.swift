internal import Arbor
public import ArborPersistence
internal import Foundation

/// The form in which a shared store writes actions and states to its log: the coding, and the versions of the types and the
/// reducer.
///
/// - **Raise `actionVersion`** when the type of the actions changes, and add a migration. A new case needs one, too, but it
///   changes nothing: `.from(1) { _ in }`. An older program stops at the first action it doesn't know, and continues once it is
///   updated. It cannot skip the action, because other clients reduce it.
/// - **Raise `stateVersion`** when the type of the state or a type inside it changes: snapshots and the outbox contain states.
///   A property that an older snapshot lacks gets its value from the initial state. So `.from(1) { _ in }` is enough for a new
///   property.
/// - **Raise `reducerVersion`** when the reducer has another result for the same actions, or when the feature's state effects
///   or their order change. Clients identify each other's jobs by that order and by the descriptions of ids. A log belongs to
///   the reducer version of its first client. Clients with another version cannot join it and need a new log.
public struct SharedForm<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  let actionVersion: Int
  let actionMigrations: MigrationChain
  let stateVersion: Int
  let stateMigrations: MigrationChain
  let reducerVersion: Int
  let coding: any StorageCoding

  /// The state before the first action of the log, which completes older snapshots; nil until it is known.
  var initial: State?

  /// The declared migrations of the state.
  let declaredMigrations: [Migration]

  /// Makes a form. Stops the program if the migrations don't follow each other.
  ///
  /// - Parameters:
  ///   - actionVersion: The version of the actions' type, starting at 1.
  ///   - actionMigrations: The migrations from older versions of the actions.
  ///   - stateVersion: The version of the state's type, starting at 1.
  ///   - stateMigrations: The migrations from older versions of the state.
  ///   - reducerVersion: The version of the reducer.
  ///   - coding: Encodes and decodes actions and states. It must be the same for all clients.
  public init(
    actionVersion: Int = 1,
    actionMigrations: [Migration] = [],
    stateVersion: Int = 1,
    stateMigrations: [Migration] = [],
    reducerVersion: Int = 1,
    coding: any StorageCoding = .json
  ) {
    self.actionVersion = actionVersion
    self.actionMigrations = MigrationChain(
      actionMigrations, to: Action.self, version: actionVersion, of: "\(Action.self)")
    self.stateVersion = stateVersion
    self.stateMigrations = MigrationChain(stateMigrations, to: State.self, version: stateVersion, of: "\(State.self)")
    declaredMigrations = stateMigrations
    self.reducerVersion = reducerVersion
    self.coding = coding
  }

  /// Reads an action of any known version.
  func action(_ bytes: Data, version: Int) throws -> Action {
    try value(bytes, version, of: actionVersion, actionMigrations)
  }

  /// Reads a state of any known version.
  func state(_ bytes: Data, version: Int) throws -> State {
    try value(bytes, version, of: stateVersion, stateMigrations, over: initial)
  }

  private func value<Value: Codable & Sendable>(
    _ bytes: Data,
    _ version: Int,
    of known: Int,
    _ migrations: MigrationChain,
    over initial: Value? = nil
  ) throws -> Value {
    // A value of the current version isn't completed, because other clients would do without the missing part.
    guard version != known else { return try coding.decode(Value.self, from: bytes) }
    return try migrations.read(Value.self, (Array(bytes), [], version, coding.name), declared: coding, over: initial)
      .value
  }
}
