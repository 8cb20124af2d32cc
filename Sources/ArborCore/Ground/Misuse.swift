/// A misuse of Arbor, with a message for the programmer: what happened, why it can't work, and how to fix it.
///
/// - A programming error stops the program with this message, in debug and in release builds. Otherwise, Arbor only
///   stops a program when the system runs out of memory.
@usableFromInline
package struct Misuse: Sendable {
  private let sentence: String

  /// The name of the misused call; empty if there are several.
  let call: StaticString

  package init(_ sentence: String, call: StaticString = "") {
    self.sentence = sentence
    self.call = call
  }

  /// Writes the message to standard error, followed by the name of the misused object.
  package func report(about name: String) {
    Platform.writeToStandardError("Arbor: \(sentence) (\(name))")
  }

  /// Stops the program with the message.
  @usableFromInline
  package func stop() -> Never {
    fatalError("Arbor: " + sentence)
  }

  /// Stops the program with the message, followed by a detail.
  @usableFromInline
  package func stop(about detail: String) -> Never {
    fatalError("Arbor: \(sentence) (\(detail))")
  }
}

extension Misuse {
  @usableFromInline
  static let waitingInsideItsOwnTree = Misuse(
    """
    dispatchAndWait was called inside a reducer, an interceptor, an observer or a projection of the same tree of \
    stores. Or it was called in the deinit of a value that one of these, or an action, released. It would wait for a \
    step that can't begin before the running one ends, so it would wait forever. Call dispatch(_:) instead, which \
    returns at once, or await the asynchronous dispatchAndWait in a task.
    """, call: "dispatchAndWait"
  )

  @usableFromInline
  static let committingInsideItsOwnTree = Misuse(
    """
    commit was called inside a commit's closure, a reducer, an interceptor, an observer, a monitor or a projection of \
    the same tree of stores. Or it was called in the deinit of a value that one of these, or an action, released. It \
    would wait for a step that can't begin before the running one ends, so it would wait forever. Call commitLater \
    instead, which returns at once; in a commit's closure, make all changes in that closure.
    """, call: "commit"
  )

  @usableFromInline
  static let droppingCommit = Misuse(
    """
    A commit did not reach its reducer: an interceptor dropped, replaced or held its mutation, or a reducer whose \
    actions contain mutations did not apply it. The caller waits for the result of the commit's closure, so the \
    program can't continue. Let mutations of commit pass, or replace them with mutations that apply them. Only \
    mutations of commitLater, and actions of your own, may be dropped or held. A `CommitStore` that was made with a \
    reducer doesn't apply mutations: pass a feature instead, whose reducer runs after each commit.
    """
  )

  static let releasingUndecidedToken = Misuse(
    """
    A HeldAction was released without a decision, so its action was dropped. Keep it until you call pass, replace or \
    drop.
    """
  )

  package static let applyingCommitElsewhere = Misuse(
    """
    The mutation of a commit was applied outside its own step, or more than once: it was kept and dispatched again, or \
    two reducers applied it. Its closure belongs to the caller of commit, and may only be called once. Only mutations \
    of commitLater, and actions of your own, may be kept and dispatched again.
    """
  )

  static let readingStateInsideReducer = Misuse(
    """
    A store's state was read inside a reducer, or a commit's closure, of the same tree of stores. The state is \
    changing at that moment, so there is no state to return that all reducers have seen. Use the state that the \
    reducer receives, or read the store in an interceptor and put the values you need into the action.
    """
  )

  @usableFromInline
  static let nestingScopes = Misuse(
    """
    Scopes were nested a thousand deep, or fewer if their states are large, each made from the previous one. Each \
    scope uses stack whenever a state is read, so the program would crash sooner or later. Make scopes from the store \
    where the feature begins, not from the last scope again and again.
    """
  )

  @usableFromInline
  package static let embeddingWhatIsNotExtracted = Misuse(
    """
    `action` embedded an action of a part, and `extract` did not find it again: it returned nil or another id. So a \
    feature in this scope would miss actions that it sends. Give the scope a pair that belongs together: an enum case, \
    and the property that returns that case's value.
    """
  )

  static let scopingPastTheFeature = Misuse(
    """
    An action was sent to a store that is scoped to the place of a feature, but the feature's `extract` returned nil \
    for the action that the store's `action` made from it. So the feature doesn't receive the actions of its own \
    store. Use the same enum case for the store's scope and the feature's scope, and let `extract` return that case's \
    value.
    """
  )

  static let steppingInsideItsOwnTree = Misuse(
    """
    A manual executor was stepped or run inside a reducer, an interceptor, an observer or a projection of a tree of \
    stores that it runs. The next step can't begin before the running one ends. Step from outside, in the test: later \
    steps run the actions that a callback dispatches.
    """
  )

  static let treesWaitOnEachOther = Misuse(
    """
    A callback of one tree of stores waits on a second tree, while a callback of the second waits on the first \
    (directly or through further trees). Each would wait for the other forever. Call dispatch(_:) in one of the \
    callbacks instead of dispatchAndWait, or pass the state it needs along with an action instead of reading it.
    """
  )
}

/// The name of a tree's root in reports.
@usableFromInline
struct RootName: Sendable {
  /// The name that was passed to the factory, if any.
  let given: String?
  let stateType: Any.Type

  @usableFromInline
  init(_ given: String?, _ stateType: Any.Type) {
    self.given = given
    self.stateType = stateType
  }

  /// The name that was passed to the factory, or the name of the state's type.
  var text: String { given ?? "\(stateType)" }

  /// Returns the name of a store of the tree, which may be the root, a child or a scope.
  func text(ofStoreOf state: Any.Type) -> String {
    let store = "a store of \(state)"
    guard state != stateType else { return given ?? store }
    return "\(store) in \(text)"
  }
}
