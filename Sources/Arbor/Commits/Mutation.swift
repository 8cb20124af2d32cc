/// An action that carries its own change of the state: what `commit` and `commitLater` send.
///
/// - It is an action like any other: interceptors see it, effects follow it, and several can be dispatched as one step.
/// - It says who has made it: a name, by default that of the function, and a place in the source.
public struct Mutation<State>: Sendable {
  /// The mutation's name: by default that of the function that has made it.
  public var name: String { origin.name }

  @usableFromInline let origin: MutationOrigin

  @usableFromInline
  enum Form: Sendable {
    case always(@Sendable (inout State) -> Void)
    case dependent(ConditionalWrite)
  }

  @usableFromInline let form: Form

  init(_ origin: MutationOrigin, _ change: ConditionalWrite) {
    self.origin = origin
    form = .dependent(change)
  }

  /// Makes the mutation of a commit.
  ///
  /// - Parameter canFail: `false` if its closure throws nothing and its part is always there.
  @usableFromInline
  init(_ origin: MutationOrigin, of commit: AwaitedCommit, canFail: Bool) {
    self.init(origin, ConditionalWrite(isAwaited: true, canFail: canFail) { commit.apply(to: $0) })
  }

  /// Makes a mutation of a closure, which is a reducer: pure, and called on the store's queue.
  @inlinable
  public init(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ mutate: @escaping @Sendable (_ state: inout State) -> Void
  ) {
    form = .always(mutate)
    origin = MutationOrigin(name, fileID, line)
  }

  /// The file where it was made, as `Module/File.swift`.
  public var fileID: String { origin.fileID }

  /// The line where it was made.
  public var line: UInt { UInt(origin.line) }

  /// `true` if a caller of `commit` waits for it.
  ///
  /// - Then no interceptor may drop it, or replace it by one that does not apply it: that stops the program.
  /// - One that applies it adds to it, in the same step:
  ///
  /// ```swift
  /// .replace(with: Mutation { state in if mutation.apply(to: &state) { state.changes += 1 } })
  /// ```
  public var isAwaited: Bool {
    switch form {
    case .always: false
    case .dependent(let change): change.isAwaited
    }
  }

  /// Changes a state: for reducers whose actions contain mutations.
  ///
  /// - One for which a caller of `commit` waits is applied in its own step alone; anywhere else it stops the program and says
  ///   so.
  /// - If it does not take place, the action is no step, unless the reducers apply another one that does. Apply it first, and change
  ///   nothing else then: what a reducer changes beside it is undone only where the mutation itself is the action.
  /// - Returns: Whether the change has taken place: not if its closure has thrown, or its part of the state is nil.
  @inlinable
  @discardableResult
  public func apply(to state: inout State) -> Bool {
    let isMade = change(&state)
    Tree.note(change: isMade)
    return isMade
  }

  /// `true` if the change may not take place: because its closure throws, or because its part of the state is nil.
  @inlinable
  var canFail: Bool {
    if case .dependent(let change) = form { change.canFail } else { false }
  }

  /// Says of actions of a type whether they may fail to take place; nil if they are not these mutations.
  @inlinable
  static func canFail<Action>(as _: Action.Type) -> (@Sendable (Action) -> Bool)? {
    guard Action.self == Mutation.self else { return nil }
    return { action in unsafeBitCast(action, to: Mutation.self).canFail }
  }

  /// Changes a state.
  ///
  /// - Returns: As ``apply(to:)``.
  @inlinable
  func change(_ state: inout State) -> Bool {
    switch form {
    case .always(let mutate):
      mutate(&state)
      return true
    case .dependent(let change):
      return withUnsafeMutablePointer(to: &state) { change.make($0) }
    }
  }

  /// Changes a root's state, as the action of its step.
  ///
  /// - Returns: As ``apply(to:)``.
  @inlinable @inline(__always)
  func change(_ box: StateBox<State>, on tree: Tree) -> Bool {
    switch form {
    case .always(let mutate):
      guard !tree.runningActionCanFail else { return Mutation.replace(by: mutate, box, on: tree) }
      mutate(&box.pointer.pointee)
      return tree.writeOutcome != .failed
    case .dependent(let change):
      guard change.make(box.pointer) else { return false }
      // Whatever the closure of a commit has applied by itself, the commit has taken place.
      tree.writeOutcome = .none
      return true
    }
  }

  /// Makes a change that has taken the place of one that may fail, and undoes it if that has failed in it.
  @inlinable @inline(never)
  static func replace(
    by mutate: @Sendable (inout State) -> Void,
    _ box: StateBox<State>,
    on tree: Tree
  ) -> Bool {
    let before = box.pointer.pointee
    mutate(&box.pointer.pointee)
    guard tree.writeOutcome == .failed else { return true }
    box.pointer.pointee = before
    return false
  }

  /// The same change, of the part of a whole.
  @usableFromInline
  func scoped<Whole>(to part: PartWriter<Whole, State>) -> Mutation<Whole> {
    let change = ConditionalWrite(isAwaited: isAwaited, canFail: canFail || part.isOptional) { [form] whole in
      part.write(whole) { part in
        switch form {
        case .always(let mutate):
          guard let part = part?.assumingMemoryBound(to: State.self) else { return false }
          mutate(&part.pointee)
          return true
        case .dependent(let change):
          return change.make(part)
        }
      }
    }
    return Mutation<Whole>(origin, change)
  }
}

extension Mutation: CustomStringConvertible {
  /// Its name.
  public var description: String { name }
}

extension Mutation: CustomReflectable {
  /// A mirror without parts, so that it is printed as its name, also inside of an action.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A change of a state that says whether it has taken place: not if it throws, or if there is no such state.
@usableFromInline
final class ConditionalWrite: Sendable {
  @usableFromInline let make: @Sendable (UnsafeMutableRawPointer?) -> Bool

  /// `true` if a caller of `commit` waits for it.
  let isAwaited: Bool

  /// `true` if it may fail to take place.
  @usableFromInline let canFail: Bool

  init(isAwaited: Bool, canFail: Bool, _ make: @escaping @Sendable (UnsafeMutableRawPointer?) -> Bool) {
    self.isAwaited = isAwaited
    self.canFail = canFail
    self.make = make
  }
}

/// The name and the place of a mutation, in as few bytes as can be: it waits in the mailbox with each of them.
@usableFromInline
struct MutationOrigin: Sendable {
  // Sendable because the bytes are those of literals, which are there for ever.
  @usableFromInline nonisolated(unsafe) let nameStart: UnsafePointer<UInt8>
  @usableFromInline nonisolated(unsafe) let fileStart: UnsafePointer<UInt8>
  @usableFromInline let nameCount: UInt16
  @usableFromInline let fileCount: UInt16
  @usableFromInline let line: UInt32

  @inlinable
  init(_ name: StaticString, _ fileID: StaticString, _ line: UInt) {
    // One that was made of a single character by hand has no address.
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
