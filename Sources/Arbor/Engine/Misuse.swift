/// What a program may not do with Arbor: each case stops it with what was done, why it cannot work, and what to do.
@usableFromInline
package enum Misuse: String {
  case waitingInsideItsOwnTree = """
    dispatchAndWait was called inside a reducer, an interceptor, an observer or a projection of the same tree of \
    stores, or in the deinit of a value that one of these, or an action, let go of. It would wait for a step that can only begin when the running one has ended, so it would wait forever. \
    Call dispatch(_:) instead, which returns at once, or await the asynchronous dispatchAndWait from a task.
    """

  case committingInsideItsOwnTree = """
    commit was called inside a commit's closure, a reducer, an interceptor, an observer, a monitor or a projection of the \
    same tree of stores, or in the deinit of a value that one of these, or an action, let go of. It would wait for a step that can only begin when \
    the running one has ended, so it would wait forever. Call commitLater instead, which returns at once; in a commit's closure, change all in that one closure.
    """

  case droppingCommit = """
    A commit did not come to its reducer: an interceptor has dropped or replaced its mutation, or a reducer whose actions \
    contain mutations has not applied it. Its caller waits for what its closure returns, so there is nothing to go on \
    with. Let mutations pass that were made by commit, or replace them by those that apply them; drop those of commitLater, or \
    actions.
    """

  case applyingCommitElsewhere = """
    The mutation of a commit was applied outside its own step, or more than once: it was kept and dispatched again, or two \
    reducers apply it. Its closure belongs to the caller of commit, for whom it is called once. Keep and repeat mutations \
    of commitLater, or actions.
    """

  case readingStateInsideReducer = """
    A store's state was read inside a reducer, or a commit's closure, of the same tree of stores. The state is being \
    changed at that moment, so there is no state to give that all reducers have seen. Use the state that the reducer was given, or read the \
    store in an interceptor and put what is needed into the action.
    """

  case nestingScopes = """
    Scopes were nested a thousand deep, or fewer of large states, each made of the one before. Each costs stack whenever a state is read, and so the program would \
    crash sooner or later. Make scopes of the store where the feature begins, not of the last scope again and again.
    """

  case steppingInsideItsOwnTree = """
    A manual executor was told to step or to run inside a reducer, an interceptor, an observer or a projection of a tree \
    of stores that it runs. The next step can only begin when the running one has ended. Step from outside, where the \
    test is; what a callback dispatches is run by the steps that follow.
    """

  case steppingOffTheMainActor = """
    A manual executor came to a delivery for the main actor (of observe(on: .main) or an ObservableStore) while it was \
    stepped elsewhere. What it calls may only run on the main actor. Mark the test, or whatever steps, with @MainActor.
    """

  case derivingFromNothing = """
    A derived value was made of a StoreObject whose state is nil, because its store hangs below an optional scope that \
    is nil. A derived value has a value from the start, and there is none. Make it of the object's store(), whose \
    derived(_:) answers nil then, or once the scope has a value.
    """

  case childOfObjectMadeByHand = """
    A child store was made of a StoreObject that was made by hand. Its closures know of no tree, so there is no place for the child's \
    state and its reducer. Make it of an object that childStore has given, or make the child by hand, too.
    """

  case treesWaitOnEachOther = """
    A callback of one tree of stores waits on a second tree, while a callback of the second waits on the first \
    (directly or through further trees). Each would wait for the other forever. Call dispatch(_:) in one of the \
    callbacks instead of dispatchAndWait, or pass the state it needs along with an action instead of reading it.
    """

  case selectorInputsDiffer = """
    A StateSelector read its inputs twice from one and the same state, and they were not equal. Then it cannot tell an \
    input that has changed from one that has not, and computes for nothing, or not when it should. Let its key paths \
    read nothing but the state: no clock, no random number, no variable outside; a value that is not equal to itself, \
    as the number nan, cannot be an input.
    """

  case undeclaredIndex = """
    An EntityTable was asked for an index that the type of its records does not declare. So the table has nothing to answer \
    with. Name the index in the type's `indexes`, and make it once, as a static let: one that is made anew with each call is \
    another index each time.
    """

  case indexOfNoRecord = """
    An EntityTable was asked for the record at an index that is not, or no longer, one of its own, or for the index before \
    its first one. There is no record. Take indexes of the very table that is asked, and ask by id what may be gone.
    """

  case positionOfNoRecord = """
    An EntityList was asked for the record at a position that it has not. There is no record. Take positions of its \
    `indices`, and take the list anew from its table when that has changed.
    """

  case ambiguousIndexes = """
    A type of records declares an index twice, or two manual orders of one name. Of two such orders one would be lost where a \
    table is encoded. List each index once in the type's `indexes`, and give each manual order a name of its own.
    """

  case impossibleLiteral = """
    An EntityTable was made of a literal in which two records have the same id, or a key of which there may be one, or an id is \
    not equal to itself. A record would be lost. Make it of an array, `try EntityTable(records)`, to be told of it by an error.
    """

  /// The name of the call that is misused, where there is but one.
  var call: StaticString {
    switch self {
    case .waitingInsideItsOwnTree: "dispatchAndWait"
    case .committingInsideItsOwnTree: "commit"
    default: "state"
    }
  }

  /// Says the case's sentence on standard error, about something that has a name.
  func report(about name: String) {
    Platform.writeToStandardError("Arbor: \(rawValue) (\(name))")
  }

  /// Stops the program with the case's sentence, in debug and in release builds.
  @usableFromInline
  package func stop() -> Never {
    fatalError("Arbor: " + rawValue)
  }

  /// Stops the program with the case's sentence and what it is about.
  package func stop(about detail: String) -> Never {
    fatalError("Arbor: \(rawValue) (\(detail))")
  }
}
