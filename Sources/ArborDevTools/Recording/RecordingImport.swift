internal import Arbor

/// A recording that is being read from a file, entry by entry.
struct RecordingImport<State: Sendable & Decodable, Action: Sendable & Decodable> {
  private let reader: RecordingFileReader
  private let root: Int
  private var recording: Recording<State, Action>
  private var stores: ImportedStores

  /// The entries since the last kept states of their stores, by the numbers of the stores.
  private var blocks: [Int: FileBlock] = [:]

  /// The numbers of all entries that were read; nil while they are in ascending order, because then none can occur twice.
  private var numbers: Set<Int>?

  /// The number of entries between two kept states of a store.
  private static var interval: Int { 32 }

  /// Begins with the base of a file.
  init(
    _ reader: RecordingFileReader,
    checkpointInterval: Int,
    reducer: @escaping Reducer<State, Action>
  ) throws(RecordingFileError) {
    let header = reader.header
    guard header.state == "\(State.self)", header.action == "\(Action.self)" else {
      throw .notLoadable(
        "its states and actions have the types \(header.state) and \(header.action), not \(State.self) and \(Action.self)"
      )
    }
    guard header.encoding == .codable else {
      throw .notLoadable("it has only descriptions of the states: \(State.self) or \(Action.self) was not Encodable")
    }
    stores = try ImportedStores(base: header.base)
    root = stores.root
    let base: State
    do { base = try header.base["\(root)"]!.decoded() } catch {
      let sentence = DecodingError.sentence(of: error)
      let reason = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
      throw .notLoadable(
        "the state before the first action cannot be decoded as \(State.self): \(reason)"
      )
    }
    self.reader = reader
    recording = Recording(initialState: base, checkpointInterval: checkpointInterval, reducer: reducer)
    recording.began = header.began
    recording.source = RecordingSource(name: header.name)
    recording.rootStore = MonitoredStore(id: UInt64(root), parent: nil, stateType: State.self)
    recording.children = stores.children
  }

  /// Reads all entries and the data after them.
  consuming func finished(
    onDamage: ((RecordingFileError) -> Void)?
  ) throws(RecordingFileError) -> Recording<State, Action> {
    do throws(RecordingFileError) {
      while let entry = try reader.next() { try add(entry) }
      try end(with: try reader.trailer())
    } catch {
      guard case .damaged = error, let onDamage else { throw error }
      recording.position = recording.count
      onDamage(error)
    }
    return recording
  }

  private mutating func add(_ document: RecordingDocument.Entry) throws(RecordingFileError) {
    try checkNumbers(of: document)
    let moments = moments(after: document)
    do { try stores.add(document, at: recording.count, to: &recording.children) } catch {
      throw .damaged(byte: reader.offset, entry: reader.count, error.description)
    }
    recording.append(entry(document, at: moments))
    recording.nextNumber = max(recording.nextNumber, document.number + 1)
    for (store, _) in moments where stores.states[store] == nil { blocks[store] = nil }
  }

  /// Returns the moments after an entry that is about to be added, for the existing stores that it changes, in the order
  /// of its changes.
  private mutating func moments(after document: RecordingDocument.Entry) -> [(store: Int, moment: FileMoment)] {
    var changed: [Int] = []
    var changes: [Int: [RecordingChange]] = [:]
    for change in document.changes {
      guard let store = ImportedStores.store(of: change), stores.states[store] != nil else { continue }
      if changes[store] == nil { changed.append(store) }
      changes[store, default: []].append(change)
    }
    return changed.map { store in
      var block = blocks[store]
      if block.map({ $0.count == Self.interval }) ?? true { block = FileBlock(state: stores.states[store]!) }
      blocks[store] = block
      return (store, FileMoment(adding: changes[store]!, to: block!))
    }
  }

  private mutating func checkNumbers(of document: RecordingDocument.Entry) throws(RecordingFileError) {
    func damage(_ text: String) -> RecordingFileError {
      .damaged(byte: reader.offset, entry: reader.count, text)
    }
    guard [document.number, document.store].allSatisfy({ RecordingDocument.numbers ~= $0 }) else {
      throw damage(RecordingMemberError.numberOutOfRange.text)
    }
    if numbers == nil {
      guard document.number < recording.nextNumber, recording.count > 0 else { return }
      recording.isReordered = true
      numbers = Set(recording.entries.lazy.map(\.id))
    }
    guard numbers!.insert(document.number).inserted else { throw damage("the number \(document.number) occurs twice") }
  }

  /// Makes the entry. Its changes must already be applied to the stores.
  private func entry(
    _ document: RecordingDocument.Entry,
    at moments: [(store: Int, moment: FileMoment)]
  ) -> Recording<State, Action>.Entry {
    var verdict = document.verdict(root: root, encoding: .codable, as: Action.self)
    var step = Recording<State, Action>.RootStep.none
    if case .repeatable(let action) = verdict {
      step = .reduced(action)
    } else if let moment = moments.first(where: { $0.store == root })?.moment {
      do {
        _ = try stores.states[root]?.decoded(as: State.self)
        step = .recorded { try? moment.state?.decoded() }
      } catch {
        let reason = DecodingError.sentence(of: error)
        verdict = .impossible("The state after it cannot be decoded as \(State.self): \(reason)")
      }
    }
    let action: FileAction? =
      switch verdict {
      case .repeatable: nil
      case .shownOnly(let reason): FileAction(document, reason, isImpossible: false)
      case .impossible(let reason): FileAction(document, reason, isImpossible: true)
      }
    let steps = moments.filter { stores.isKept($0.store, in: recording.children, at: recording.count) }.map {
      (store: UInt64($0.store), step: ChildStep.file($0.moment))
    }
    let details = ActionNote.Details(
      action: action,
      steps: steps,
      outcome: ActionOutcome(document.outcome, replacement: FileText(text: document.replacement ?? "")),
      isBarrier: document.isBarrier
    )
    let note = ActionNote(
      number: document.number,
      store: UInt64(document.store),
      cause: document.cause,
      details: action != nil || !steps.isEmpty ? details : nil,
      isLastOfStep: !document.isBatch,
      isImported: true,
      isSkipped: document.isSkipped,
      times: CompactTimes(document.times.map(ActionNanoseconds.init))
    )
    return Recording<State, Action>.Entry(note, step)
  }

  private mutating func end(with trailer: RecordingDocument.Trailer) throws(RecordingFileError) {
    guard trailer.stores.isEmpty || trailer.root == root else {
      throw .notLoadable("the root of its stores, \(trailer.root ?? 0), has no state before the first action")
    }
    let named = [trailer.omitted] + trailer.stores.map { $0.id - 1 } + trailer.tasks.map(\.id)
    guard named.allSatisfy({ RecordingDocument.numbers ~= $0 }) else {
      throw .notLoadable("a number after its entries is negative or too large")
    }
    stores.complete(&recording.children, by: trailer.stores, at: recording.count)
    recording.recordedTasks = RecordedTasks(
      trailer.tasks.map { task in
        let id = UInt64(exactly: task.store) ?? 0
        let store = id == root ? recording.rootStore : recording.children[id]?.store
        return RecordedTask(
          task, of: store ?? MonitoredStore(id: id, parent: UInt64(root), stateType: RecordedValue.self))
      })
    recording.position = trailer.position
    recording.source?.omitted = trailer.omitted
    recording.source?.metrics = trailer.metrics
  }
}

extension FileAction {
  fileprivate init(_ document: RecordingDocument.Entry, _ reason: String, isImpossible: Bool) {
    self.init(
      name: document.name,
      description: document.text,
      value: document.action,
      reason: reason,
      isImpossible: isImpossible
    )
  }
}
