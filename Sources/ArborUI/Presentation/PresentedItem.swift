internal import Arbor

/// An optional part that is presented while it is there, and how it is dismissed.
///
/// - Like ``PartWrite`` it is the argument of a subscript, and makes bindings equal.
struct PresentedItem<State: Sendable, Action: Sendable, Item: Identifiable & Sendable> where Item.ID: Sendable {
  let part: KeyPath<State, Item?>
  let dismissal: Dismissal

  /// The item when the binding was made: the one that its dismissal is meant for. Nil if there was none.
  let presented: Item?

  /// The item that was there when a binding was read first that was made while there was none: then its dismissal is
  /// meant for that one.
  let firstRead = FirstRead()

  /// The id of an item that was read.
  @MainActor
  final class FirstRead {
    var id: Item.ID?

    nonisolated init() {}
  }

  /// The way in which an item is dismissed.
  enum Dismissal {
    /// An action, which the program chooses.
    case action(@Sendable (_ item: Item) -> Action)

    /// A commit of nil to the part, unless another item is there.
    case commit(@Sendable (_ item: Item) -> Action)
  }

  var id: KeyPath<State, Item.ID?> { part.appending(path: \.?.id) }
}

extension PresentedItem: Hashable {
  /// `true` if both present the item with the same id, and dismiss it by equal actions; or if neither presents any.
  static func == (left: PresentedItem, right: PresentedItem) -> Bool {
    guard left.part == right.part, left.presented?.id == right.presented?.id else { return false }
    guard let item = left.presented else { return true }
    switch (left.dismissal, right.dismissal) {
    case (.commit, .commit): return true
    case (.action(let left), .action(let right)): return areEqual(left(item), right(item))
    default: return false
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(presented?.id)
  }
}

extension PresentedItem {
  /// The action that dismisses an item.
  func action(dismissing item: Item) -> Action {
    switch dismissal {
    case .action(let action), .commit(let action): action(item)
    }
  }
}

extension PresentedItem.Dismissal where Action == Mutation<State> {
  /// A commit of nil.
  static func commit(_ part: any WritableKeyPath<State, Item?> & Sendable) -> Self {
    .commit { item in
      Mutation(named: "dismiss") { state in
        if state[keyPath: part]?.id == item.id { state[keyPath: part] = nil }
      }
    }
  }
}

extension ScreenStore {
  /// The item, which is followed by its id alone. Setting it to nil dismisses it, if it is still the one that was
  /// presented; any other value is ignored.
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
      write(nil, to: item.id, item.action(dismissing: current))
    }
  }

  /// `true` while the item is there. Setting it to `false` dismisses it, as setting the item to nil does.
  subscript<Item>(isPresented item: PresentedItem<State, Action, Item>) -> Bool {
    get { self[item] != nil }
    set { if !newValue { self[item] = nil } }
  }
}
