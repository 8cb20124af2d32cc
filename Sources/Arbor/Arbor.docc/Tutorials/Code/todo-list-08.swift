import Arbor

let factory = StoreFactory(
  initialState: TodoList(),
  feature: .combined(todos, suggestions { "Prune the roses" }),
  settings: TreeSettings(onEffectError: { _, _, error in print("no suggestion: \(error)") })
)
let printing = factory.observe(removeDuplicates: .by(\.left)) { list in
  print("\(list.left) to do, the last: \(list.items.last?.text ?? "nothing")")
}
factory.dispatch(.suggest)
await factory.settled()
