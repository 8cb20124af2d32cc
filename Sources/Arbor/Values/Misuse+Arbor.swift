extension Misuse {
  package static let severalRecorders = Misuse(
    """
    a factory was given several recorders, or one twice. Only the first that fits records; the others are left out.
    """
  )

  package static let awaitingSettledInOwnTask = Misuse(
    """
    settled was awaited by a task of the same tree of stores: the body of an effect, or of a store's task. It would wait for the end \
    of that task, which waits for it, so both would wait forever. Await it where the tree is used from outside, or make the effect \
    ongoing, for which nobody waits.
    """, call: "settled"
  )

  package static let steppingOffTheMainActor = Misuse(
    """
    A manual executor came to a delivery for the main actor (of observe(on: .main) or an ObservableStore) while it was \
    stepped elsewhere. What it calls may only run on the main actor. Mark the test, or whatever steps, with @MainActor.
    """
  )

  package static let addingToStoreWithOwnActions = Misuse(
    """
    Effects or an interceptor were added to a scope that has actions of its own, or to a closure-backed store. What passes there \
    is actions of the store around the scope, and nothing tells which of them belong to the scope; a closure-backed store has no place for \
    anything. Add to the store around the scope, and lift what is added: see `Interceptor.scoped` and `Effect.map`.
    """
  )

  package static let selectorInputsDiffer = Misuse(
    """
    A StateSelector read its inputs twice from one and the same state, and they were not equal. Then it cannot tell an \
    input that has changed from one that has not, and computes for nothing, or not when it should. Let its key paths \
    read nothing but the state: no clock, no random number, no variable outside; a value that is not equal to itself, \
    as the number nan, cannot be an input.
    """
  )
}
