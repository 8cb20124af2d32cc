/// Redux' lifted state, the form in which its tools export and import a history.
///
/// ```json
/// {"monitorState":{},"nextActionId":2,"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":0},…
/// ```
///
/// - The action 0 is `@@INIT`, with the base as its state; those of the recording have the numbers from 1 on.
/// - An action is an object with its name as `type` beside its own keys. One that is no object, or has a key `type` of its own, stands
///   whole under `payload`.
/// - A key `$jsan`, which means something else to those tools, gets a `$` more, as does one that already has more. Marks of a recording
///   stay as they are.
package enum LiftedState {
  /// An action of the history.
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

  /// A history that cannot be exported.
  package enum Failure: Error, Equatable {
    case actionsAndStates(Int, Int)
    case position(Int, of: Int)
  }

  /// Writes a history piece by piece.
  ///
  /// - Keeps neither actions nor states: sequences that make their elements when they are asked for need no memory.
  /// - Parameters:
  ///   - base: The state before the first action.
  ///   - began: The time of it, in milliseconds since 1970.
  ///   - actions: The actions in their order.
  ///   - states: The state after each action. That of a skipped one is the state before it.
  ///   - position: Behind how many actions the history is.
  ///   - sink: Takes the next bytes.
  /// - Throws: ``Failure``, and what the sink throws.
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

  /// So many bytes are handed on at once.
  private static let piece = 1 << 16
}

extension LiftedState.Action {
  /// The action as Redux' tools know it.
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
  /// The tree with a `$` more in each key `$jsan`, and in those that already have more.
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
