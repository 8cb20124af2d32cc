import Arbor

let factory = StoreFactory(initialState: TodoList(), feature: todos)
let printing = factory.observe(removeDuplicates: .by(\.left)) { list in
  print("\(list.left) to do")
}
factory.dispatchAndWait(.add("Water the tree"))
factory.dispatchAndWait(.add("Buy milk"))
factory.dispatchAndWait(.toggle(1))
