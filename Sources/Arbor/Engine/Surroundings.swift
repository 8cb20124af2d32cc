/// What a tree shares with those who watch it: who runs deliveries, the clock, and what waits for the main actor.
struct Surroundings: Sendable {
  let executor: any Executor
  let clock: any Clock<Duration>
  let main: MainDeliveries
}
