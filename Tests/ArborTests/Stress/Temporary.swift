/// The state of a child store that lives for a while: how many actions came through it.
struct Temporary: Sendable, Equatable {
  let thread: Int
  let generation: Int
  var count = 0
}
