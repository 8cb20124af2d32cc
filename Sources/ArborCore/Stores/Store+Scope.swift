extension Store {
  /// Returns a store of the part that a projection finds in this store's state, with the same actions.
  @inlinable
  package func scoped<Part: Sendable>(
    presences: [AttachmentHost.PresenceSource],
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, Action> {
    guard depth < scopeLimit else { Misuse.nestingScopes.stop() }
    // The only object that both closures capture, so that neither allocates a context.
    let part = Projection(read: read, connect: connect, project: project)
    return Store<Part, Action>(
      address: address,
      sink: sink,
      read: { node in part.read(node).flatMap(part.project) },
      connect: { observer, role in part.connect(observer.pullback(through: part.project), role) },
      depth: depth + scopeDepth(of: Part.self),
      presences: presences
    )
  }

  /// Returns a store of the part that a projection finds in this store's state, with its own actions and tasks.
  ///
  /// - Parameters:
  ///   - embed: Wraps an action of the part in an action of this store.
  ///   - commit: Applies a state write of the part to this store's state; nil if a mutation is sent as an action
  ///     instead.
  ///   - place: The place of the part. The part shares its tasks with other scopes of that place. Nil if there is no
  ///     place.
  @inlinable
  package func scoped<Part: Sendable, PartAction: Sendable>(
    embed: @escaping @Sendable (PartAction) -> Action,
    commit: ActionSink<PartAction>.Commit? = nil,
    presences: [AttachmentHost.PresenceSource],
    place: ScopePlace? = nil,
    _ project: @escaping @Sendable (State) -> Part?
  ) -> Store<Part, PartAction> {
    guard depth < scopeLimit else { Misuse.nestingScopes.stop() }
    let part = ProjectionSink(
      in: sink,
      embed: embed,
      commit: commit,
      presences: presences,
      place: place,
      read: read,
      connect: connect,
      project: project
    )
    return Store<Part, PartAction>(
      address: address,
      sink: part,
      read: { node in part.read(node).flatMap(part.project) },
      connect: { observer, role in part.connect(observer.pullback(through: part.project), role) },
      depth: depth + scopeDepth(of: Part.self),
      presences: presences
    )
  }

  /// Presence sources of an optional part. In each step they report to the part's tasks if the part is still the same.
  @inlinable
  package func presences<Part>(of project: @escaping @Sendable (State) -> Part?) -> [AttachmentHost.PresenceSource] {
    let id = { @Sendable (state: State) in
      project(state).map { ($0 as? any Identifiable)?.anyID ?? AnyHashable(0) }
    }
    let source = AttachmentHost.PresenceSource(
      read: { [address, read] in
        guard let address else { return read(nil).flatMap(id) }
        return address.tree.target(of: address).flatMap(read).flatMap(id)
      },
      connect: { [connect] notice in
        let observer = Observer<State>(
          form: .returning { state in notice(id(state)) },
          control: AbsenceControl { notice(nil) }
        )
        _ = connect(observer, .linked(isEarly: false))
      }
    )
    return presences + [source]
  }
}

/// The maximum nesting depth of scopes. That many scopes need less than half a megabyte of stack, which every thread
/// has.
@usableFromInline let scopeLimit = 1_000

/// Returns the depth that a scope adds: one, and more if its own state is large, because every nested scope has copies
/// of the state on the stack. So you can only nest a few scopes of large states.
@inlinable
func scopeDepth<Part>(of _: Part.Type) -> Int {
  1 + min(MemoryLayout<Part>.size / 64, 50)
}

/// A part of a store's state, with the store's functions that read and observe the whole state.
@usableFromInline
package final class Projection<State: Sendable, Part: Sendable>: Sendable {
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

/// The sink of a scope with its own type of actions, together with a ``Projection`` in one object, so that the scope is
/// a single allocation.
@usableFromInline
final class ProjectionSink<State: Sendable, Action: Sendable, Part: Sendable, PartAction: Sendable>:
  ScopeSink<Action, PartAction>, @unchecked Sendable
{
  // Sendable because it only adds constants of sendable types to its superclass.

  @usableFromInline let read: @Sendable (AnyObject?) -> State?
  @usableFromInline let connect: @Sendable (Observer<State>, Role) -> Connection?
  @usableFromInline let project: @Sendable (State) -> Part?

  @inlinable
  init(
    in sink: ActionSink<Action>,
    embed: @escaping @Sendable (PartAction) -> Action,
    commit: Commit?,
    presences: [AttachmentHost.PresenceSource],
    place: ScopePlace?,
    read: @escaping @Sendable (AnyObject?) -> State?,
    connect: @escaping @Sendable (Observer<State>, Role) -> Connection?,
    project: @escaping @Sendable (State) -> Part?
  ) {
    self.read = read
    self.connect = connect
    self.project = project
    super.init(in: sink, embed: embed, commit: commit, presences: presences, place: place)
  }
}

extension Identifiable {
  @usableFromInline package var anyID: AnyHashable { AnyHashable(id) }
}

/// A control that calls a closure when there is no state for the observer.
@usableFromInline
final class AbsenceControl: ObserverControl, @unchecked Sendable {  // Like its superclass.
  private let notice: @Sendable () -> ObserverStatus

  @usableFromInline
  init(_ notice: @escaping @Sendable () -> ObserverStatus) {
    self.notice = notice
  }

  override func noticeAbsence() -> ObserverStatus { notice() }
}
