extension Misuse {
  package static let severalRecorders = Misuse(
    """
    A factory was given several recorders, or the same one twice. Only the first one that fits records; the others are \
    ignored. Pass only one.
    """
  )

  package static let awaitingSettledInOwnTask = Misuse(
    """
    settled was awaited by a task of the same tree of stores: the body of an effect, or of a store's task. It would \
    wait for the end of that task, which waits for it, so both would wait forever. Await it outside the tree's tasks, \
    or make the effect ongoing, so that settled doesn't wait for it.
    """, call: "settled"
  )

  package static let steppingOffTheMainActor = Misuse(
    """
    A manual executor reached a delivery for the main actor (of observe(on: .main) or an ObservableStore) while it was \
    stepped elsewhere. The delivery may only run on the main actor. Mark the test, or the code that steps, with \
    @MainActor.
    """
  )

  package static let addingToStoreWithOwnActions = Misuse(
    """
    Effects or an interceptor were added to a scope that has its own actions, or to a closure-backed store. The \
    actions there belong to the enclosing store, and Arbor can't determine which of them are the scope's. A \
    closure-backed store has no place for additions. Add to the enclosing store, and lift the addition: see \
    `Interceptor.scoped` and `Effect.map`.
    """
  )

  package static let selectorInputsDiffer = Misuse(
    """
    A StateSelector read its inputs twice from the same state, and they were not equal. So it can't distinguish a \
    changed input from an unchanged one: it computes unnecessarily, or doesn't compute when it should. Let its key \
    paths read nothing but the state: no clock, no random number, no outside variable. A value that isn't equal to \
    itself, such as nan, can't be an input.
    """
  )
}
