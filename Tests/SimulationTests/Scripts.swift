/// The scripts of a world by the numbers of their actions, and the reactions that have happened on one side.
struct Scripts {
  private let scripts: [Script?]
  private var happened: [Bool]

  init(_ scripts: [Script?]) {
    self.scripts = scripts
    happened = Array(repeating: false, count: scripts.count)
  }

  /// The operations to perform when an action is encountered in a place; none the second time.
  mutating func operations(about action: Int32, at place: Place) -> [Operation] {
    guard let script = script(action) else { return [] }
    var operations: [Operation] = []
    for reaction in script.reactions where reaction.place == place {
      guard case .perform(let operation) = reaction.deed, !happened[reaction.number] else { continue }
      happened[reaction.number] = true
      operations.append(operation)
    }
    return operations
  }

  /// The other reaction to an action in a place.
  func deed(about action: Int32, at place: Place) -> Reaction.Deed? {
    script(action)?.reactions.first { reaction in
      if case .perform = reaction.deed { return false }
      return reaction.place == place
    }?.deed
  }

  /// The part to which an action belongs.
  func part(of action: Int32) -> StatePart? { script(action)?.part }

  private func script(_ number: Int32) -> Script? {
    Int(number) < scripts.count ? scripts[Int(number)] : nil
  }
}
