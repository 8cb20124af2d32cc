extension Store {
  /// A store of what a projection finds in this one's state, with the same actions.
  @inlinable
  func scoped<Part: Sendable>(
    presences: [AttachmentHost.PresenceSource],
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, Action> {
    store(of: Projection(read: read, connect: connect, project: project), sink, presences: presences)
  }

  /// A store of what a projection finds in this one's state, with actions that are embedded in these, and tasks of its own.
  ///
  /// - Parameter commit: Makes a change in this one's state.
  @inlinable
  func scoped<Part: Sendable, PartAction: Sendable>(
    embed: @escaping @Sendable (PartAction) -> Action,
    commit: ActionSink<PartAction>.Commit? = nil,
    presences: [AttachmentHost.PresenceSource],
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, PartAction> {
    let part = Embedding(read: read, connect: connect, project: project, sink: sink, embed: embed)
    let sink = ScopeSink<PartAction>(
      in: sink.host,
      presences: presences,
      dispatch: { action in part.sink.dispatch(part.embed(action)) },
      submit: { submission in part.sink.submit(submission.map(part.embed)) },
      commit: commit,
      ancestors: { node in part.sink.ancestors(node).embedding(part.embed) { _ = part.sink.dispatch($0) } }
    )
    return store(of: part, sink, presences: presences)
  }

  /// - Parameter projection: The one object that all closures of the store capture, so that none has a context of its own.
  @inlinable
  func store<Part: Sendable, PartAction: Sendable>(
    of projection: Projection<State, Part>,
    _ sink: ActionSink<PartAction>,
    presences: [AttachmentHost.PresenceSource]
  ) -> Store<Part, PartAction> {
    guard depth < scopeLimit else { Misuse.nestingScopes.stop() }
    return Store<Part, PartAction>(
      address: address,
      sink: sink,
      read: { node in projection.read(node).flatMap(projection.project) },
      connect: { observer, role in projection.connect(observer.pullback(through: projection.project), role) },
      depth: depth + scopeDepth(of: Part.self),
      presences: presences
    )
  }

  /// Watches that tell the tasks of an optional part whether it exists.
  @inlinable
  func presences<Part>(of project: @escaping @Sendable (State) -> Part?) -> [AttachmentHost.PresenceSource] {
    presences + [
      { [connect] notice in
        let observer = Observer<State>(
          form: .returning { state in notice(project(state) != nil) },
          control: AbsenceControl { notice(false) }
        )
        _ = connect(observer, .internalObserver)
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
class Projection<State: Sendable, Part: Sendable>: @unchecked Sendable {  // Nothing in it varies.
  @usableFromInline final let read: @Sendable (AnyObject?) -> State?
  @usableFromInline final let connect: @Sendable (Observer<State>, Role) -> Connection?
  @usableFromInline final let project: @Sendable (State) -> Part?

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

/// A part of a store's state with its own actions, and how they are sent as those of the store.
@usableFromInline
final class Embedding<State: Sendable, Action: Sendable, Part: Sendable, PartAction: Sendable>:
  Projection<State, Part>, @unchecked Sendable
{  // As its superclass.
  @usableFromInline let sink: ActionSink<Action>
  @usableFromInline let embed: @Sendable (PartAction) -> Action

  @inlinable
  init(
    read: @escaping @Sendable (AnyObject?) -> State?,
    connect: @escaping @Sendable (Observer<State>, Role) -> Connection?,
    project: @escaping @Sendable (State) -> Part?,
    sink: ActionSink<Action>,
    embed: @escaping @Sendable (PartAction) -> Action
  ) {
    self.sink = sink
    self.embed = embed
    super.init(read: read, connect: connect, project: project)
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
