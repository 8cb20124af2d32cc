internal import Arbor

/// An optional part that is presented while it has a value, and its dismissal.
///
/// - Like ``PartWrite``, it is the argument of a subscript, by which bindings are compared.
struct PresentedItem<State: Sendable, Action: Sendable, Item: Identifiable & Sendable> where Item.ID: Sendable {
  let part: KeyPath<State, Item?>
  let dismissal: Dismissal

  /// The item when the binding was made, which its dismissal is meant for; nil if there was none.
  let presented: Item?

  /// The first item that was read by a binding that was made without an item. The binding's dismissal is meant for it.
  let firstRead = FirstRead()

  /// The id of an item that was read.
  @MainActor
  final class FirstRead {
    var id: Item.ID?

    nonisolated init() {}
  }

  /// The way an item is dismissed.
  struct Dismissal {
    /// Makes the action that dismisses an item.
    let action: @Sendable (_ item: Item) -> Action

    /// The argument that made the function, and its identity; nil if the part determines the function.
    private let argument: (make: () -> (@Sendable (_ item: Item) -> Action), identity: FunctionIdentity)?

    /// A dismissal by an action that the program chooses.
    init(_ makeAction: @escaping () -> (@Sendable (_ item: Item) -> Action)) {
      action = makeAction()
      argument = (makeAction, FunctionIdentity(of: makeAction))
    }

    var identity: FunctionIdentity? { argument?.identity }
  }

  var id: KeyPath<State, Item.ID?> { part.appending(path: \.?.id) }
}

extension PresentedItem: Hashable {
  /// `true` if both present the item with the same id, or none, and dismiss it by the same function.
  static func == (left: PresentedItem, right: PresentedItem) -> Bool {
    left.part == right.part && left.presented?.id == right.presented?.id
      && left.dismissal.identity == right.dismissal.identity
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(presented?.id)
  }
}

extension PresentedItem.Dismissal where Action == Mutation<State> {
  /// A dismissal that commits nil to the part, unless another item is there.
  init(committingTo part: any WritableKeyPath<State, Item?> & Sendable) {
    action = { item in
      Mutation(named: "dismiss") { state in
        if state[keyPath: part]?.id == item.id { state[keyPath: part] = nil }
      }
    }
    argument = nil
  }
}

extension ScreenStore {
  /// The item, of which only the id is followed. Setting it to nil dismisses the item if it is still the presented one.
  /// Any other value is ignored.
  subscript<Item>(item: PresentedItem<State, Action, Item>) -> Item? {
    get {
      _ = self[item.id]
      let current = self[untracked: item.part]
      if item.firstRead.id == nil { item.firstRead.id = current?.id }
      return current
    }
    set {
      guard newValue == nil, let current = self[untracked: item.part] else { return }
      if let meant = item.presented?.id ?? item.firstRead.id, current.id != meant { return }
      write(nil, to: item.id, item.dismissal.action(current))
    }
  }

  /// `true` while the item is there. Setting it to `false` dismisses it, as setting the item to nil does.
  subscript<Item>(isPresented item: PresentedItem<State, Action, Item>) -> Bool {
    get { self[item] != nil }
    set { if !newValue { self[item] = nil } }
  }
}
