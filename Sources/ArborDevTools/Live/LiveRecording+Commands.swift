internal import Arbor

extension LiveRecording {
  /// Does what a browser has asked for.
  ///
  /// - Commands are JSON objects: `{"command":"travel","position":n}`, `{"command":"step","by":-1}`,
  ///   `{"command":"toggle","number":12}`, `{"command":"toggleEpoch","number":12}`, `{"command":"resume"}`,
  ///   `{"command":"continueFromHere"}` and `{"command":"dispatch","action":…}`.
  /// - The position of `travel` counts from the oldest entry that the program keeps; with `"omitted":m` from behind the
  ///   first `m` entries that there ever were, so that it means the same when the program has forgotten some meanwhile.
  /// - Waits for what the store has accepted before, as the recorder does, but for `dispatch`.
  /// - Parameter command: The JSON in UTF-8.
  /// - Throws: ``LiveCommandError``; then nothing has happened.
  public func perform(_ command: some Sequence<UInt8>) throws(LiveCommandError) {
    let command = try LiveCommand(json: command)
    if case .dispatch(let action) = command { return try dispatch(action) }
    do throws(RecordingError) {
      switch command {
      case .travel(let position, nil): try recorder.travel(to: position)
      case .travel(let position, let omitted?):
        let (place, isTooFar) = position.addingReportingOverflow(omitted)
        try recorder.travel(toPlace: isTooFar ? (position < 0 ? .min : .max) : place)
      case .step(let distance): try recorder.step(by: distance)
      case .toggle(let number): try recorder.toggle(number)
      case .toggleEpoch(let number): try recorder.toggleEpoch(of: number)
      case .resume: recorder.resume()
      case .continueFromHere: recorder.continueFromHere()
      case .dispatch: break
      }
    } catch {
      throw .refused(error)
    }
  }

  private func dispatch(_ value: RecordedValue) throws(LiveCommandError) {
    guard let dispatch else { throw .cannotDispatch("the program does not allow it") }
    guard let type = Action.self as? any Decodable.Type else {
      throw .cannotDispatch("\(Action.self) is not Decodable")
    }
    let action: Action
    do {
      action = try value.decoded(as: type) as! Action
    } catch {
      throw .notAnAction(LiveRecording.sentence(about: error))
    }
    dispatch(action)
  }

  /// The reason of an error of decoding, and where it lies.
  private static func sentence(about error: any Error) -> String {
    guard let error = error as? DecodingError else { return Confidentiality.description(of: error) }
    let context =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: Confidentiality.description(of: error))
      }
    let text =
      context.debugDescription.hasSuffix(".") ? context.debugDescription.dropLast() : context.debugDescription[...]
    guard !context.codingPath.isEmpty else { return String(text) }
    return "\(text), at \(context.codingPath.map(\.stringValue).joined(separator: "."))"
  }
}
