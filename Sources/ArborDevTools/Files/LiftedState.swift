/// The lifted state of Redux: the form in which its tools export and import a history.
///
/// ```json
/// {"monitorState":{},"nextActionId":2,"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":0},…
/// ```
///
/// - Action 0 is `@@INIT`, with the base as its state. The recording's actions have the numbers from 1 on.
/// - An action is an object that has its name as `type`, followed by its own keys. An action that isn't an object, or
///   that already has a key `type`, is a whole value under `payload`.
/// - A key `$jsan`, which has another meaning for those tools, gets an additional `$`, and so does one that already has
///   more. The marks of a recording remain unchanged.
package enum LiftedState {
  /// An action in the history.
  package struct Action: Sendable {
    package var name: String

    /// The action's value; nil if there is none.
    package var value: RecordedValue?

    /// The time in milliseconds since 1970.
    package var timestamp: Int64
    package var isSkipped: Bool

    package init(name: String, value: RecordedValue?, timestamp: Int64, isSkipped: Bool = false) {
      self.name = name
      self.value = value
      self.timestamp = timestamp
      self.isSkipped = isSkipped
    }
  }

  /// The reason why a history can't be exported.
  package enum Failure: Error, Equatable {
    case actionsAndStates(Int, Int)
    case position(Int, of: Int)
  }

  /// Writes a history piece by piece.
  ///
  /// - It keeps neither actions nor states: sequences that make their elements on demand need no memory.
  /// - Parameters:
  ///   - base: The state before the first action.
  ///   - began: The time of the base, in milliseconds since 1970.
  ///   - actions: The actions in their order.
  ///   - states: The state after each action. For a skipped action, it is the state before it.
  ///   - position: The number of actions that precede the current position.
  ///   - sink: Takes the next bytes.
  /// - Throws: ``Failure``, and any error that the sink throws.
  package static func write(
    base: RecordedValue,
    began: Int64,
    actions: some Sequence<Action>,
    states: some Sequence<RecordedValue>,
    position: Int,
    to sink: (_ bytes: [UInt8]) throws -> Void
  ) throws {
    var text = JSONText()
    var (count, skipped) = (0, [Int]())
    func handOn(atLeast size: Int = piece) throws {
      if text.count >= size { try sink(text.take()) }
    }
    func add(_ action: RecordedValue, at time: Int64) {
      text.append(quoted: "\(count)")
      text.append(":{\"type\":\"PERFORM_ACTION\"")
      text.add("action", action)
      text.add("timestamp", Int(time))
      text.append("}")
    }
    text.append("{\"monitorState\":{},\"isLocked\":false,\"isPaused\":false,\"actionsById\":{")
    add(.object(RecordedObject([.init("type", .string("@@INIT"))])), at: began)
    for action in actions {
      count += 1
      if action.isSkipped { skipped.append(count) }
      text.append(",\n")
      add(action.object.withEscapedCodecKeys, at: action.timestamp)
      try handOn()
    }
    guard 0...count ~= position else { throw Failure.position(position, of: count) }
    let base = base.withEscapedCodecKeys
    text.append("}")
    text.add("nextActionId", count + 1)
    text.add("stagedActionIds", Array(0...count))
    text.add("skippedActionIds", skipped)
    text.add("currentStateIndex", position)
    text.add("committedState", base)
    text.append(",\"computedStates\":[{")
    text.add("state", base)
    text.append("}")
    var stateCount = 0
    for state in states {
      stateCount += 1
      text.append(",\n{")
      text.add("state", state.withEscapedCodecKeys)
      text.append("}")
      try handOn()
    }
    guard stateCount == count else { throw Failure.actionsAndStates(count, stateCount) }
    text.append("]}\n")
    try handOn(atLeast: 0)
  }

  /// The number of bytes that are passed on at once.
  private static let piece = 1 << 16
}

extension LiftedState.Action {
  /// The action in the form that Redux' tools expect.
  fileprivate var object: RecordedValue {
    let type = RecordedObject.Member("type", .string(name))
    switch value {
    case nil: return .object(RecordedObject([type]))
    case .object(let object)? where object.place(of: "type") == nil && value?.markedText == nil:
      return .object(RecordedObject([type] + object.members))
    case let value?: return .object(RecordedObject([type, .init("payload", value)]))
    }
  }
}

extension RecordedValue {
  /// The tree with an additional `$` in each key `$jsan`, and in those that already have more.
  fileprivate var withEscapedCodecKeys: RecordedValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withEscapedCodecKeys))
    case .object(let object):
      .object(
        RecordedObject(
          object.members.map { .init(RecordedValue.escaped($0.key, from: "$jsan"), $0.value.withEscapedCodecKeys) }
        ))
    default: self
    }
  }
}
