import Arbor
import ArborPersistence

extension Storage {
  /// Makes a monitor that saves only on request, so that a slow test has the same result.
  func savingWhenAsked<State: Sendable>(_ parts: [Persisted<State>]) -> SavingMonitor<State> {
    saving(parts, debounce: .seconds(100_000), atLatestAfter: .seconds(100_000))
  }

  /// Makes a monitor that writes actions only on request, so that a slow test has the same result.
  func savingWhenAsked<State: Sendable, Action: Codable & Sendable>(
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>
  ) -> SavingMonitor<State> {
    saving(parts, journal, groupedFor: .seconds(100_000))
  }

  /// Stops the storage as if the program was killed. Written data stays, and another storage can use the folder.
  func endAsIfKilled() {
    suspend(isInTime: false)
  }
}
