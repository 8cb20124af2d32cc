internal import Arbor
public import ArborPersistence
internal import Foundation

/// The form in which actions and states of a shared store are in its log: their versions, and the coding.
///
/// - **Raise `actionVersion`** when the type of the actions changes, and add a migration, also for a new case alone, where it
///   returns what it gets: `.from(1) { (old: BoardAction) in old }`. Programs of before stop at the first such action, and go
///   on when they are renewed.
/// - **Raise `stateVersion`** when the type of the state changes, or one in it, for the snapshots and the outbox.
/// - **Raise `reducerVersion`** when the reducer makes something else of the same actions, or when the state effects of the
///   feature are others or stand in another order: clients know each other's jobs by that, and by the descriptions of the
///   ids. The log names the version of the first client: those of another one do not take part, and need another log.
public struct SharedForm<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  let actionVersion: Int
  let actionMigrations: MigrationChain
  let stateVersion: Int
  let stateMigrations: MigrationChain
  let reducerVersion: Int
  let coding: any StorageCoding

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
    try value(bytes, version, of: stateVersion, stateMigrations)
  }

  private func value<Value: Decodable & Sendable>(
    _ bytes: Data,
    _ version: Int,
    of known: Int,
    _ migrations: MigrationChain
  ) throws -> Value {
    guard version != known else { return try coding.decode(Value.self, from: bytes) }
    let stored = try StoredValue(version: version, bytes: Array(bytes), coding: coding.name, declared: coding)
    return try migrations.read(stored, as: Value.self)
  }
}
