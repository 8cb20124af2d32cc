import Arbor

let factory = StoreFactory(initialState: TodoList(), feature: todos)
factory.dispatch(.add("Water the tree"))
factory.dispatch(.add("Buy milk"))
print("\(factory.state.left) to do")
