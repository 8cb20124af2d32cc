import Arbor

enum Action: Sendable {
  case load
  case add(String)
}

let factory = StoreFactory(
  initialState: [String](),
  // The short form: it sees each action, and `dispatch` works from any thread. For requests, declare effects.
  interceptor: { action, dispatch in
    if case .load = action { dispatch(.add("Water the tree")) }
  },
  reducer: { (todos: inout [String], action: Action) in
    if case .add(let todo) = action { todos.append(todo) }
  }
)

let count = factory.scope(to: \.count)  // a store of a part of the state
count.subscribe(
  observer: Observer { count in
    print(count, "to do")
    return count < 2 ? .active : .dead  // `.dead` ends the subscription
  })
// A store with its own state on top of its parent's.
let log = factory.childStore(initialState: [Action]()) { actions, action in actions.append(action) }
log.dispatch(.load)
await log.settled()  // until all actions and tasks are done
log.dispatch(.add("Sweep the leaves"))
print(log.state?.0 ?? [])  // the state is the pair (items, actions)
