/// An action that carries its own change of the state: `commit` and `commitLater` send mutations.
///
/// - It is an action like any other: interceptors see it, effects follow it, and several can be dispatched as one step.
/// - It records its origin: a name, by default that of the function that made it, and a position in the source.
public struct Mutation<State>: Sendable {
  /// The mutation's name: by default that of the function that made the mutation.
  public var name: String { origin.name }

  @usableFromInline let origin: MutationOrigin

  @usableFromInline
  enum Form: Sendable {
    case unconditional(@Sendable (inout State) -> Void)
    case conditional(ConditionalWrite)

    /// Applies the change to a state, if there is one. Returns `true` if it has taken place.
    @usableFromInline
    func write(to state: UnsafeMutableRawPointer?) -> Bool {
      switch self {
      case .unconditional(let mutate):
        guard let state = state?.assumingMemoryBound(to: State.self) else { return false }
        mutate(&state.pointee)
        return true
      case .conditional(let change):
        return change.apply(state)
      }
    }
  }

  @usableFromInline let form: Form

  init(_ origin: MutationOrigin, _ change: ConditionalWrite) {
    self.origin = origin
    form = .conditional(change)
  }

  /// Makes the mutation of a commit.
  ///
  /// - Parameter canFail: `false` if the commit's closure cannot throw and its part of the state always exists.
  @usableFromInline
  init(_ origin: MutationOrigin, of commit: AwaitedCommit, canFail: Bool, target: MutationTarget? = nil) {
    self.init(origin, ConditionalWrite(isAwaited: true, canFail: canFail, target: target) { commit.apply(to: $0) })
  }

  /// Makes a mutation from a closure.
  ///
  /// - Parameters:
  ///   - name: The name of the mutation; by default that of the function that makes it.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - mutate: Changes the state. It runs as a ``Reducer`` and must be pure.
  @inlinable
  public init(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ mutate: @escaping @Sendable (_ state: inout State) -> Void
  ) {
    form = .unconditional(mutate)
    origin = MutationOrigin(name, fileID, line)
  }

  /// The file where the mutation was made, as `Module/File.swift`.
  public var fileID: String { origin.fileID }

  /// The line where the mutation was made.
  public var line: UInt { UInt(origin.line) }

  /// `true` if a caller of `commit` waits for this mutation.
  ///
  /// - An interceptor must let it pass, or replace it by a mutation that applies it and may change more in the same
  ///   step:
  ///
  /// ```swift
  /// .replace(with: Mutation { state in if mutation.apply(to: &state) { state.changes += 1 } })
  /// ```
  ///
  /// - The replacement is awaited, too, so that the interceptors behind know. It does not take place, and is undone, if the
  ///   mutation that it applies does not.
  /// - Dropping it, or replacing it by a mutation that does not apply it, stops the program with a message. So does a
  ///   reducer whose actions contain mutations if it does not apply this one.
  public var isAwaited: Bool {
    switch form {
    case .unconditional: false
    case .conditional(let change): change.isAwaited
    }
  }

  /// Applies the change to a state, in a reducer whose actions contain mutations.
  ///
  /// - A mutation for which a caller of `commit` waits can be applied once, in its own step. Applying it again or
  ///   anywhere else stops the program with a message.
  /// - If the change does not take place, the action is no step, unless the reducers apply another mutation that
  ///   succeeds. Apply the mutation before other changes, and make those only if it succeeded: they are undone only
  ///   where the mutation itself is the action, or one that an interceptor has replaced it by.
  /// - Parameter state: The state to change; it stays as it is if the change does not take place.
  /// - Returns: `true` if the change has taken place; `false` if its closure threw or its optional part of the state is
  ///   nil.
  @inlinable
  @discardableResult
  public func apply(to state: inout State) -> Bool {
    let isMade = change(&state)
    Tree.note(change: isMade)
    return isMade
  }

  /// `true` if the change may not take place, because its closure may throw or its part of the state may be nil.
  @inlinable
  var canFail: Bool {
    if case .conditional(let change) = form { change.canFail } else { false }
  }

  /// Applies the change to a state, without noting the outcome for the tree.
  ///
  /// - Returns: The same as ``apply(to:)``.
  @inlinable
  func change(_ state: inout State) -> Bool {
    switch form {
    case .unconditional(let mutate):
      mutate(&state)
      return true
    case .conditional(let change):
      return withUnsafeMutablePointer(to: &state) { change.apply($0) }
    }
  }
}

extension Mutation where State: Sendable {
  /// Applies the change to a node's own state, as the action of its step, and calls the middleware if it was made.
  ///
  /// - The change alone decides whether that is a step, whatever mutations its closure and the middleware apply. One that
  ///   fails leaves the state as it was.
  /// - Returns: `true` if the change was made.
  @inlinable @inline(__always)
  func change(_ box: StateBox<State>, followedBy middleware: Reducer<State, Mutation>?, on tree: Tree) -> Bool {
    switch form {
    case .unconditional(let mutate): mutate(&box.pointer.pointee)
    case .conditional(let change): guard change.apply(box.pointer) else { return false }
    }
    middleware?(&box.pointer.pointee, self)
    tree.step.writes = .made
    return true
  }
}

extension Mutation: CustomStringConvertible {
  /// The mutation's name.
  public var description: String { name }
}

extension Mutation: CustomReflectable {
  /// A mirror without children, so that a mutation is printed as its name, also inside an action.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The name of a mutation and its position in the source, in as few bytes as possible: each waiting mutation carries
/// them.
@usableFromInline
struct MutationOrigin: Sendable {
  // Sendable because the bytes are those of literals, which exist forever.
  @usableFromInline nonisolated(unsafe) let nameStart: UnsafePointer<UInt8>
  @usableFromInline nonisolated(unsafe) let fileStart: UnsafePointer<UInt8>
  @usableFromInline let nameCount: UInt16
  @usableFromInline let fileCount: UInt16
  @usableFromInline let line: UInt32

  @inlinable
  init(_ name: StaticString, _ fileID: StaticString, _ line: UInt) {
    // A `StaticString` that holds a single Unicode scalar has no pointer.
    let name = name.hasPointerRepresentation ? name : "mutation"
    let fileID = fileID.hasPointerRepresentation ? fileID : "unknown"
    nameStart = name.utf8Start
    fileStart = fileID.utf8Start
    nameCount = UInt16(clamping: name.utf8CodeUnitCount)
    fileCount = UInt16(clamping: fileID.utf8CodeUnitCount)
    self.line = UInt32(clamping: line)
  }

  var name: String { text(from: nameStart, nameCount) }
  var fileID: String { text(from: fileStart, fileCount) }

  private func text(from start: UnsafePointer<UInt8>, _ count: UInt16) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}

/// A change of a state that may not take place, because it throws or because there is no such state. It returns whether
/// it has taken place.
@usableFromInline
final class ConditionalWrite: Sendable {
  @usableFromInline let apply: @Sendable (UnsafeMutableRawPointer?) -> Bool

  /// `true` if a caller of `commit` waits for the change.
  let isAwaited: Bool

  /// `true` if the change may fail to take place.
  @usableFromInline let canFail: Bool

  /// `true` if the change takes place and changes nothing: it stands for one of another state.
  let changesNothing: Bool

  /// The part for which the mutation was made; nil if it was made for the whole.
  let target: MutationTarget?

  init(
    isAwaited: Bool,
    canFail: Bool,
    changesNothing: Bool = false,
    target: MutationTarget? = nil,
    _ apply: @escaping @Sendable (UnsafeMutableRawPointer?) -> Bool
  ) {
    self.isAwaited = isAwaited
    self.canFail = canFail
    self.changesNothing = changesNothing
    self.target = target
    self.apply = apply
  }
}
