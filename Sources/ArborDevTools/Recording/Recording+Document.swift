internal import Arbor
internal import Foundation

/// A recording as the parts of a file, one entry at a time.
struct RecordingDocuments<State: Sendable, Action: Sendable> {
  private let recording: Recording<State, Action>
  private let rules: RedactionRules<State, Action>
  private let name: String

  /// `true` if there are redaction rules. They can't be applied to data from a file that this program hasn't decoded, so
  /// all of that is redacted, including the names of the program and its types.
  private let isRedacting: Bool
  private let encoding: RecordingDocument.Header.Encoding
  private let root: UInt64

  /// The index of the first entry.
  private let first: Int

  /// The trees of all stores' own states before the next entry, by the stores' numbers.
  private(set) var states: [UInt64: RecordedValue] = [:]

  /// The root's state before the next entry.
  private var rootState: State

  /// The stores below the root that came or went, by place.
  private let births: [Int: [UInt64]]
  private let deaths: [Int: [UInt64]]
  private var index: Int

  /// The stores that came or went between the known states and the first entry.
  private var unseen: [UInt64] = []

  init(_ recording: Recording<State, Action>, named name: String?, _ redactions: [Redaction<State, Action>]) {
    self.init(recording, named: name, RedactionRules(recording.redactions + redactions))
  }

  /// Makes the documents of the entries from an index on. Earlier entries are ignored.
  ///
  /// - Parameter known: The states from which the first entry's changes start; nil for the states at the index.
  init(
    _ recording: Recording<State, Action>,
    from index: Int = 0,
    changing known: [UInt64: RecordedValue]? = nil,
    named name: String?,
    _ rules: RedactionRules<State, Action>
  ) {
    self.recording = recording
    isRedacting = !rules.isEmpty
    let ownName = recording.rootStore?.description ?? "\(State.self)"
    self.name = name ?? (rules.isEmpty ? recording.source?.name : nil) ?? ownName
    self.rules = rules
    self.index = index
    first = index
    encoding = State.self is any Encodable.Type && Action.self is any Encodable.Type ? .codable : .description
    root = recording.rootStore?.id ?? 1
    rootState = recording.state(afterFirst: index)
    let children = recording.children.sorted { $0.key < $1.key }
    births = Dictionary(grouping: children, by: \.value.birth).mapValues { $0.map(\.key) }
    deaths = Dictionary(grouping: children.filter { $0.value.death != nil }, by: { $0.value.death! })
      .mapValues { $0.map(\.key) }
    states = known ?? trees(at: index)
    if known != nil { unseen = storesThatDiffer(fromThoseAt: index) }
  }

  var header: RecordingDocument.Header {
    RecordingDocument.Header(
      name: name,
      state: "\(State.self)",
      action: "\(Action.self)",
      began: recording.began,
      encoding: encoding,
      base: RecordedObject(trees(at: first).sorted { $0.key < $1.key }.map { .init("\($0.key)", $0.value) })
    )
  }

  /// Returns the next entry; nil after the last one.
  mutating func next() -> RecordingDocument.Entry? {
    guard index < recording.count else { return nil }
    defer { index += 1 }
    let entry = recording[entryAt: index]
    recording.reduce(entry, &rootState)
    let place = recording.firstPlace + index
    var changes: [RecordingChange] = []
    if !entry.isSkipped, entry.hasRootStep { setState(of: root, to: rootTree(of: rootState), &changes) }
    let changed = entry.reducingStores + births[place + 1, default: []] + deaths[place + 1, default: []]
    for id in Set(unseen + changed).sorted() {
      setState(of: id, to: recording.childState(id, atPlace: place + 1).map(tree(of:)), &changes)
    }
    unseen = []
    let dispatched = redactedAction(of: entry)
    let text = text(of: dispatched)
    var document = RecordingDocument.Entry(
      number: entry.id,
      store: Int(entry.store ?? root),
      name: name(of: dispatched, text),
      text: text,
      action: tree(ofAction: dispatched),
      cause: entry.cause,
      outcome: LoggedOutcome(entry.outcome)
    )
    if case .replaced(let replacement) = entry.outcome {
      document.replacement = self.text(of: redacted(replacement, thatLedTo: entry.rootAction))
    }
    document.isSkipped = entry.isSkipped
    document.isBarrier = entry.isBarrier
    document.isBatch = !entry.isLastOfStep
    document.times = entry.times
    document.changes = entry.inFileOrder(changes)
    document.made = births[place, default: []].map { Int($0) }
    document.gone = deaths[place, default: []].map { Int($0) }
    return document
  }

  /// Sets the tree of a store's state and adds the resulting changes.
  ///
  /// - Cost: a walk through this store's state. A recording may have any number of other stores.
  private mutating func setState(of store: UInt64, to state: RecordedValue?, _ changes: inout [RecordingChange]) {
    let path = [RecordingChange.Step.key("\(store)")]
    switch (states.updateValue(state ?? .null, forKey: store), state) {
    case (let before?, let state?): changes += RecordingChange.changes(from: before, to: state, at: path)
    case (nil, let state?): changes.append(RecordingChange(path, state))
    case (let before, nil):
      states[store] = nil
      if before != nil { changes.append(RecordingChange(path, nil)) }
    }
  }

  /// Returns the part after the entries.
  ///
  /// - Parameter metrics: The metrics to write; nil for the metrics of the file from which the recording was read. Those
  ///   contain names of actions, so they are left out if there are redaction rules.
  func trailer(metrics: MetricsReport? = nil) -> RecordingDocument.Trailer {
    let rootStore = RecordingDocument.Store(id: Int(root), parent: nil, state: "\(State.self)", made: 0, gone: nil)
    let children = recording.children.values.sorted { $0.store.id < $1.store.id }
    return RecordingDocument.Trailer(
      stores: [rootStore] + children.map { store(of: $0) },
      tasks: recording.tasks.map { task(of: $0) },
      metrics: metrics.map(RecordedValue.init) ?? (isRedacting ? nil : recording.source?.metrics),
      position: recording.position,
      omitted: recording.firstPlace + (recording.source?.omitted ?? 0)
    )
  }

  func store(of child: RecordedChild) -> RecordingDocument.Store {
    RecordingDocument.Store(
      id: Int(child.store.id),
      parent: child.store.parent.map { Int($0) },
      state: child.stateName.map { isRedacting ? Confidentiality.text : $0 } ?? "\(child.store)",
      made: child.made.microseconds,
      gone: child.death == nil ? nil : child.gone?.microseconds
    )
  }

  func task(of task: RecordedTask) -> RecordingDocument.Task {
    var document = RecordingDocument.Task(
      id: Int(task.id),
      store: Int(task.store.id),
      key: task.key.map { text(of: $0) },
      cause: task.cause,
      began: task.began.microseconds
    )
    document.ended = task.ended?.microseconds
    switch task.outcome {
    case nil: break
    case .finished: document.outcome = .finished
    case .cancelled: document.outcome = .cancelled
    case .failed(let error):
      document.outcome = .failed
      document.error = text(of: error)
    }
    return document
  }

  // MARK: Values

  /// Returns an action in the form of Redux' tools: the action that the root reduced, or otherwise the dispatched action.
  func liftedAction(_ entry: Recording<State, Action>.Entry, began: Int64) -> LiftedState.Action {
    let action = entry.rootAction.map { rules.redacted(action: $0) } ?? redactedAction(of: entry)
    return LiftedState.Action(
      name: name(of: action, text(of: action)),
      value: tree(ofAction: action),
      timestamp: began + (entry.times?.accepted.nanoseconds ?? 0) / 1_000_000,
      isSkipped: entry.isSkipped
    )
  }

  /// Returns the tree of a state of the root.
  func rootTree(of state: State) -> RecordedValue { tree(of: rules.redacted(state: state)) }

  /// Returns one line about an action or another value.
  private func text(of value: any Sendable) -> String {
    switch value {
    case let action as FileAction: isRedacting ? Confidentiality.text : action.description
    case let file as FileText: isRedacting ? Confidentiality.text : file.text
    case is HiddenAction: Confidentiality.text
    default: rules.text(of: value)
    }
  }

  /// Returns the name of an action, such as `add` for the text `add(id: 3)`.
  private func name(of action: any Sendable, _ text: String) -> String {
    if let action = action as? FileAction { return isRedacting ? text : action.name }
    let name = text.prefix { $0 != "(" }
    return name.isEmpty ? text : String(name)
  }

  /// Returns the action of an entry as it was dispatched, after redaction.
  private func redactedAction(of entry: Recording<State, Action>.Entry) -> any Sendable {
    // If an action was replaced, the root's action doesn't belong to it.
    if case .replaced = entry.outcome { return redacted(entry.action, thatLedTo: nil) }
    return redacted(entry.action, thatLedTo: entry.rootAction)
  }

  /// Returns an action after redaction.
  ///
  /// - Parameter rootAction: The action that the root reduced for it; nil if there is none.
  private func redacted(_ action: any Sendable, thatLedTo rootAction: Action?) -> any Sendable {
    if let action = action as? Action { return rules.redacted(action: action) }
    if action is FileAction { return action }
    return rules.hideWhole(actionThatLedTo: rootAction) ? HiddenAction() : action
  }

  /// Returns the stores below the root that exist either in the trees or in the recording at an index, but not in both.
  private func storesThatDiffer(fromThoseAt index: Int) -> [UInt64] {
    let known = Set(states.keys).subtracting([root])
    let place = recording.firstPlace + index
    let there = recording.children.values.filter { $0.exists(at: place) }.map(\.store.id)
    return known.symmetricDifference(there).sorted()
  }

  private func trees(at position: Int) -> [UInt64: RecordedValue] {
    var trees = recording.childStates(at: position).mapValues(tree(of:))
    trees[root] = rootTree(of: recording.state(afterFirst: position))
    return trees
  }

  private func tree(of value: any Sendable) -> RecordedValue {
    if let tree = value as? RecordedValue { return isRedacting ? .redacted : tree }
    guard encoding == .codable, let value = value as? any Encodable else { return rules.reflecting(value) }
    return (try? rules.encoding(value, includingPast: rules.states.isEmpty)) ?? rules.reflecting(value)
  }

  /// Returns the tree of an action; nil if only this action can't be encoded.
  private func tree(ofAction action: any Sendable) -> RecordedValue? {
    if let action = action as? FileAction { return isRedacting ? action.value.map { _ in .redacted } : action.value }
    if action is HiddenAction { return .redacted }
    guard encoding == .codable else { return rules.reflecting(action) }
    return (action as? any Encodable).flatMap { try? rules.encoding($0, includingPast: rules.actions.isEmpty) }
  }
}

/// A placeholder for an action that is completely hidden.
private struct HiddenAction: Sendable {}

extension Recording.Entry {
  /// `true` if the root's reducer received the action.
  fileprivate var hasRootStep: Bool { if case .none = root { false } else { true } }
}
