/// What becomes of a new task and of those with an equal key: the new one's mode decides.
public enum TaskMode: Hashable, Sendable {
  /// It starts at once, beside all others.
  case parallel

  /// It starts at once; all that run or wait are dropped.
  case dropCurrent

  /// It starts when all that came before it have ended, first come, first served. A task that was cancelled has ended only
  /// when its body has.
  case waitInCurrent

  /// It is dropped while another one runs or waits, else it starts at once.
  case keepCurrent

  /// It starts when a time has passed without another one of this mode, which takes its place; what still runs then is
  /// dropped, so that no older result comes after it.
  case debounce(Duration)

  /// It starts at once, and for a time no other one of this mode does: those are dropped, but for the last one if `latest`
  /// is true, which starts when the time is over, and for the same time is the only one again.
  case throttle(Duration, latest: Bool)
}
