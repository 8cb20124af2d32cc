/// Selectors, and their remembered results at the nodes.
extension Model {
  final class Selector {
    let number: Int

    /// Its position in the order in which selectors were made.
    let order: Int
    let token: HeldToken

    init(_ number: Int, order: Int, _ token: HeldToken) {
      self.number = number
      self.order = order
      self.token = token
    }
  }

  func select(_ number: Int, _ store: Int) {
    guard let from = stores[store] else { return }
    let selector = self.selector(number)
    selector.token.holders += 1
    defer { release(selector.token) }
    guard from.node.isOpen else {
      if isInside(from.node.tree) || !isBusy(from.node.tree) { note(.answered, number, -1) }
      return
    }
    var output: Int?
    if read(in: from.node.tree, at: from.node, { output = self.output(of: selector, store, from) }) {
      note(.answered, number, Int32(output ?? -1))
    }
  }

  /// The remembered result of the selector if the state has not changed; otherwise a new one.
  private func output(of selector: Selector, _ number: Int, _ store: Store) -> Int? {
    let node = store.node
    let revision = node.tree.revision
    if let last = node.selected[selector.order], last.revision == revision, last.store == number {
      return last.input / 2
    }
    guard let state = view(store) else { return nil }
    let input = Int(state.count / 2)
    if node.selected[selector.order]?.input != input { note(.selected, selector.number, Int32(input)) }
    node.selected[selector.order] = (revision, number, input)
    return input / 2
  }

  /// The selector with a number, which is created if necessary.
  func selector(_ number: Int) -> Selector {
    if let selector = selectors[number] { return selector }
    selectorCount += 1
    let selector = Selector(number, order: selectorCount, hold(Token(number: number)))
    selectors[number] = selector
    return selector
  }

  func dropSelector(_ number: Int) {
    guard let selector = selectors[number] else { return }
    selectors[number] = nil
    release(selector.token)
  }
}
