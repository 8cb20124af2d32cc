extension Store {
  /// A store of what a projection finds in this one's state, with a way in for its actions.
  @inlinable
  func scoped<Part: Sendable, PartAction: Sendable>(
    _ sink: ActionSink<PartAction>,
    watches: [Place.PresenceWatch],
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, PartAction> {
    guard depth < scopeLimit else { Misuse.nestingScopes.stop() }
    // One object for both closures, so that neither has a context of its own.
    let projection = Projection(read: read, connect: connect, project: project)
    return Store<Part, PartAction>(
      address: address,
      sink: sink,
      read: { node in projection.read(node).flatMap(projection.project) },
      connect: { observer, role in projection.connect(observer.looking(through: projection.project), role) },
      depth: depth + scopeDepth(of: Part.self),
      watches: watches
    )
  }

  /// Watches that tell the tasks of an optional part whether it exists.
  @inlinable
  func watches<Part>(of project: @escaping @Sendable (State) -> Part?) -> [Place.PresenceWatch] {
    watches + [
      { [connect] notice in
        let observer = Observer<State>(
          form: .returning { state in notice(project(state) != nil) },
          control: AbsenceControl { notice(false) }
        )
        _ = connect(observer, .observation)
      }
    ]
  }
}

/// The depth to which scopes may be made one of the other: so much needs less than half a megabyte of stack, which is what a thread has
/// at least.
@usableFromInline let scopeLimit = 1_000

/// What a scope adds to the depth: one, and more where its state is large in itself, of which each scope on the way has copies on the
/// stack. Of large states a few scopes are nested at most.
@inlinable
func scopeDepth<Part>(of _: Part.Type) -> Int {
  1 + min(MemoryLayout<Part>.size / 64, 50)
}

/// A part of a store's state, and how the store's own is reached.
@usableFromInline
final class Projection<State: Sendable, Part: Sendable>: Sendable {
  @usableFromInline let read: @Sendable (AnyObject?) -> State?
  @usableFromInline let connect: @Sendable (Observer<State>, Role) -> Connection?
  @usableFromInline let project: @Sendable (State) -> Part?

  @inlinable
  init(
    read: @escaping @Sendable (AnyObject?) -> State?,
    connect: @escaping @Sendable (Observer<State>, Role) -> Connection?,
    project: @escaping @Sendable (State) -> Part?
  ) {
    self.read = read
    self.connect = connect
    self.project = project
  }
}

/// Calls a closure where there is no state for an observer.
@usableFromInline
final class AbsenceControl: ObserverControl, @unchecked Sendable {  // As its superclass.
  private let notice: @Sendable () -> ObserverStatus

  @usableFromInline
  init(_ notice: @escaping @Sendable () -> ObserverStatus) {
    self.notice = notice
    super.init()
  }

  override func noticeAbsence() -> ObserverStatus { notice() }
}
