internal import Arbor
public import ArborPersistence
internal import Foundation

/// How a shared store writes actions and states to its log: the coding, and the versions of the types and the reducer.
///
/// - **Raise `actionVersion`** when the type of the actions changes, and add a migration. A new case needs one too, which
///   changes nothing: `.from(1) { _ in }`. An older program stops at the first action it does not know, and goes on once it
///   is updated. It cannot skip the action, because other clients reduce it.
/// - **Raise `stateVersion`** when the type of the state or a type inside it changes: snapshots and the outbox contain
///   states. A property that an older snapshot lacks takes its value from the initial state, so `.from(1) { _ in }` is
///   enough for a new one.
/// - **Raise `reducerVersion`** when the reducer does something else with the same actions, or when the feature's state
///   effects or their order change: clients tell each other's jobs apart by that order and by the descriptions of ids. A
///   log belongs to the reducer version of its first client. Clients with another version cannot join it and need a new log.
public struct SharedForm<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  let actionVersion: Int
  let actionMigrations: MigrationChain
  let stateVersion: Int
  let stateMigrations: MigrationChain
  let reducerVersion: Int
  let coding: any StorageCoding

  /// The state before the first action of the log, from which older snapshots are completed; nil until it is known.
  var initial: State?

  /// The declared migrations of the state.
  let declaredMigrations: [Migration]

  /// Makes a form. Stops the program if the migrations do not follow each other.
  ///
  /// - Parameters:
  ///   - actionVersion: The version of the type of the actions, from 1 on.
  ///   - actionMigrations: Lead from older versions of an action to this one.
  ///   - stateVersion: The version of the type of the state, from 1 on.
  ///   - stateMigrations: Lead from older versions of the state to this one.
  ///   - reducerVersion: The version of the reducer.
  ///   - coding: Turns actions and states into bytes and back; the same one for all clients.
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

  /// Reads an action of any version that is known.
  func action(_ bytes: Data, version: Int) throws -> Action {
    try value(bytes, version, of: actionVersion, actionMigrations)
  }

  /// Reads a state of any version that is known.
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
    // Nothing is completed in a value of this version: other clients of it would do without what is missing.
    guard version != known else { return try coding.decode(Value.self, from: bytes) }
    return try migrations.read(Value.self, (Array(bytes), [], version, coding.name), declared: coding, over: initial)
      .value
  }
}
