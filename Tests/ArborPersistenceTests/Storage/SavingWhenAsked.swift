import Arbor
import ArborPersistence

extension Storage {
  /// Makes a monitor that saves when it is asked to, so that a test which takes long finds the same.
  func savingWhenAsked<State: Sendable>(_ parts: [Persisted<State>]) -> SavingMonitor<State> {
    saving(parts, debounce: .seconds(100_000), atLatestAfter: .seconds(100_000))
  }

  /// Makes a monitor that writes actions when it is asked to, so that a test which takes long finds the same.
  func savingWhenAsked<State: Sendable, Action: Codable & Sendable>(
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>
  ) -> SavingMonitor<State> {
    saving(parts, journal, groupedFor: .seconds(100_000))
  }

  /// Ends the program as if it was killed: what was written is there, and another storage may use the folder.
  func endAsIfKilled() {
    suspend(isInTime: false)
  }
}
