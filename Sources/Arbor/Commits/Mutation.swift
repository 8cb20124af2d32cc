/// An action that contains its own change to the state. `commit` and `commitLater` send mutations.
///
/// ```swift
/// store.commit(Mutation(named: "rename") { $0.name = "Rowan" })
/// ```
///
/// - It is an action like any other: interceptors see it, effects follow it, and you can dispatch several as one step.
/// - It records its origin: a name, by default, the name of the function that made it, and a position in the source.
public struct Mutation<State>: Sendable {
  /// The mutation's name: by default, the name of the function that made the mutation.
  public var name: String { origin.name }

  @usableFromInline let origin: MutationOrigin

  @usableFromInline
  enum Form: Sendable {
    case unconditional(@Sendable (inout State) -> Void)
    case conditional(ConditionalWrite)

    /// Applies the change to a state, if there is one. Returns `true` if it succeeded.
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
  /// - Parameter canFail: `false` if the commit's closure can't throw and its part of the state always exists.
  @usableFromInline
  init(_ origin: MutationOrigin, of commit: AwaitedCommit, canFail: Bool, target: MutationTarget? = nil) {
    self.init(origin, ConditionalWrite(isAwaited: true, canFail: canFail, target: target) { commit.apply(to: $0) })
  }

  /// Makes a mutation from a closure.
  ///
  /// - Parameters:
  ///   - name: The name of the mutation; by default, the name of the function that makes it.
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
  /// - An interceptor must let it pass, or replace it with a mutation that applies it and may change more in the same
  ///   step:
  ///
  /// ```swift
  /// .replace(with: Mutation { state in if mutation.apply(to: &state) { state.changes += 1 } })
  /// ```
  ///
  /// - The replacement counts as awaited, too, so later interceptors must let it pass. If the mutation that it applies
  ///   fails, the replacement fails and is undone.
  /// - Dropping or holding it, or replacing it with a mutation that doesn't apply it, stops the program with a message.
  ///   So does a reducer whose actions contain mutations, if it doesn't apply this one.
  public var isAwaited: Bool {
    switch form {
    case .unconditional: false
    case .conditional(let change): change.isAwaited
    }
  }

  /// Applies the change to a state, in a reducer whose actions contain mutations.
  ///
  /// - If a caller of `commit` waits for the mutation, you can apply it only once, in its own step. Applying it again
  ///   or anywhere else stops the program with a message.
  /// - If the change fails, the action isn't a step, unless the reducers apply another mutation that succeeds.
  /// - Apply the mutation before other changes, and make the other changes only if it succeeded. They are undone only
  ///   if the mutation itself is the action, or an interceptor's replacement of it.
  /// - Parameter state: The state to change. If the change fails, it stays unchanged.
  /// - Returns: `true` if the change succeeded; `false` if its closure threw or its optional part of the state is nil.
  @inlinable
  @discardableResult
  public func apply(to state: inout State) -> Bool {
    let isMade = change(&state)
    Tree.note(change: isMade)
    return isMade
  }

  /// `true` if the change may fail, because its closure may throw or its part of the state may be nil.
  @inlinable
  var canFail: Bool {
    if case .conditional(let change) = form { change.canFail } else { false }
  }

  /// Applies the change to a state, without recording the outcome for the tree.
  ///
  /// - Returns: The result that ``apply(to:)`` returns.
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
  /// - Only the change decides if that is a step, regardless of any mutations that its closure and the middleware
  ///   apply. A change that fails leaves the state unchanged.
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
  /// A mirror without children, so that a mutation is printed as its name, even inside an action.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The name of a mutation and its position in the source, in as few bytes as possible, because each waiting mutation
/// contains them.
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

/// A change to a state that may fail, because it throws or because there is no such state. It returns `true` if it
/// succeeded.
@usableFromInline
final class ConditionalWrite: Sendable {
  @usableFromInline let apply: @Sendable (UnsafeMutableRawPointer?) -> Bool

  /// `true` if a caller of `commit` waits for the change.
  let isAwaited: Bool

  /// `true` if the change may fail.
  @usableFromInline let canFail: Bool

  /// `true` if the change succeeds and changes nothing, because it represents a change to another state.
  let changesNothing: Bool

  /// The part that the mutation was made for; nil if it was made for the whole.
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
