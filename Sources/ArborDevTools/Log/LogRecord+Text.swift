internal import ArborDiff
internal import Foundation

extension LogRecord: CustomStringConvertible {
  /// The record for people: a line, followed by an indented line for each change.
  public var description: String {
    let head = [timeText, "\(store): \(subject)", timesText].compactMap(\.self).joined(separator: " ")
    let more = hasMoreChanges == true ? ["…"] : []
    return ([head] + (changes ?? []).map(text) + more + (notLookedAt ?? []).map(text)).joined(separator: "\n  ")
  }

  private var timeText: String? {
    guard let time else { return nil }
    let (seconds, rest) = max(time, 0).quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(rest / 1000)
    return "+\(seconds)." + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private var subject: String {
    switch kind {
    case .action: actionText
    case .storeMade: "store made"
    case .storeGone: "store gone"
    case .observerMade: "observer made"
    case .observerGone: "observer gone"
    case .taskStarted: "\(taskText) started"
    case .taskFinished: "\(taskText) finished"
    case .taskCancelled: "\(taskText) cancelled"
    case .taskFailed: "\(taskText) failed: \(LineText.escaping(error ?? ""))"
    case .activity: "activity \(LineText.escaping(activity ?? ""))"
    case .recordsDropped: droppedText
    case .unknown: "unknown"
    }
  }

  private var actionText: String {
    let action = LineText.escaping(action ?? "")
    switch outcome {
    case .reduced, nil: return action
    case .replaced: return "\(action) replaced by \(LineText.escaping(replacement ?? ""))"
    case .dropped, .held, .revoked, .failed: return "\(action) \(outcome?.rawValue ?? "")"
    }
  }

  private var droppedText: String {
    let count = dropped ?? 0
    return "\(count) \(count == 1 ? "record" : "records") dropped, because too many were waiting to be written"
  }

  private var taskText: String {
    let parts = ["task \(task ?? 0)", key.map(LineText.escaping), stateEffect.map { "of " + LineText.escaping($0) }]
    return parts.compactMap(\.self).joined(separator: " ")
  }

  private var timesText: String? {
    guard let times else { return nil }
    var parts = [("waited", times.waited), ("intercepted", times.intercepted)]
    switch outcome {
    case .reduced, .replaced, .failed, nil: parts.append(("reduced", times.reduced))
    case .dropped, .held, .revoked: break
    }
    // The observers of a batch are called once, for its last action, even if that action itself was dropped.
    if times.delivered > 0 || (isReduced && isLastOfStep != false) { parts.append(("delivered", times.delivered)) }
    return "(" + parts.map { "\($0) \(DurationText.of($1))" }.joined(separator: ", ") + ")"
  }

  private var isReduced: Bool { outcome == .reduced || outcome == .replaced }

  private func text(of change: LoggedChange) -> String {
    change.store == store ? change.description : change.fullDescription
  }

  private func text(of omission: LoggedOmission) -> String {
    let path = omission.store == store ? omission.path : omission.store.path(to: omission.path)
    return LineText.escaping(StateOmission(path: path, count: omission.count).description)
  }
}

extension LogRecord {
  /// The record as JSON on one line, without any character that a reader may take for a line break.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding can't fail: a record contains only texts and whole numbers.
    let json = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return LineText.replacingBreaks(in: String(decoding: json, as: UTF8.self)) { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
