internal import Arbor
public import ArborPersistence
internal import Foundation

/// The form in which actions and states of a shared store are in its log: their versions, and the coding.
///
/// - **Raise `actionVersion`** when the type of the actions changes, and add a migration, also for a new case alone, where it
///   changes nothing: `.from(1) { _ in }`. Programs of before stop at the first such action, and go on when they are renewed.
///   An action cannot be dropped, for other clients reduce it: the work stops there.
/// - **Raise `stateVersion`** when the type of the state changes, or one in it, for the snapshots and the outbox. A new property
///   of an older snapshot is that of the initial state; `.from(1) { _ in }` is enough for it.
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
