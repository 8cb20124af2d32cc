extension Store {
  /// A store of the part that a projection finds in this store's state, with the same actions.
  @inlinable
  func scoped<Part: Sendable>(
    presences: [AttachmentHost.PresenceSource],
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, Action> {
    store(of: Projection(read: read, connect: connect, project: project), sink, presences: presences)
  }

  /// A store of the part that a projection finds in this store's state, with its own actions and tasks.
  ///
  /// - Parameters:
  ///   - embed: Wraps an action of the part in an action of this store.
  ///   - commit: Applies a state write of the part to this store's state; nil if a mutation is sent as an action
  ///     instead.
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
      ancestors: { node in part.sink.ancestors(node).embedded(by: part.embed) { _ = part.sink.dispatch($0) } }
    )
    return store(of: part, sink, presences: presences)
  }

  /// Makes the store of a projection, unless too many scopes are nested.
  ///
  /// - Parameter projection: The one object that all closures of the store capture, so that none allocates a context of
  ///   its own.
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

  /// Presence sources of an optional part, which report to its tasks in each step whether the part exists.
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

/// The maximum nesting depth of scopes. That many need less than half a megabyte of stack, which every thread has.
@usableFromInline let scopeLimit = 1_000

/// The depth that a scope adds: one, and more if its state is large in itself, because every nested scope has copies of
/// the state on the stack. So only a few scopes of large states can be nested.
@inlinable
func scopeDepth<Part>(of _: Part.Type) -> Int {
  1 + min(MemoryLayout<Part>.size / 64, 50)
}

/// A part of a store's state, and the store's functions by which the whole state is read and observed.
@usableFromInline
class Projection<State: Sendable, Part: Sendable>: @unchecked Sendable {  // All properties are constants.
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

/// A part of a store's state with its own actions, and the sink to which they are sent as actions of the store.
@usableFromInline
final class Embedding<State: Sendable, Action: Sendable, Part: Sendable, PartAction: Sendable>:
  Projection<State, Part>, @unchecked Sendable
{  // Like its superclass.
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

/// A control that calls a closure when there is no state for the observer.
@usableFromInline
final class AbsenceControl: ObserverControl, @unchecked Sendable {  // Like its superclass.
  private let notice: @Sendable () -> ObserverStatus

  @usableFromInline
  init(_ notice: @escaping @Sendable () -> ObserverStatus) {
    self.notice = notice
    super.init()
  }

  override func noticeAbsence() -> ObserverStatus { notice() }
}
