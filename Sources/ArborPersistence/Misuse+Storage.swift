internal import Arbor

extension Misuse {
  static let brokenMigrations = Misuse(
    """
    The migrations of a persisted value do not fit together: each must start from a later version than the previous \
    one. A migration between types must take the type that the previous one returns. It must return the type that is \
    stored now if it is the last, or an Encodable type if a migration of the stored form follows. Otherwise, a stored \
    value of an older version could not be read.
    """
  )

  static let savingWithoutLoading = Misuse(
    """
    saving(_:) was called for parts that were not loaded, or were already saved: an initial state could overwrite a \
    stored one. Load the parts with one call of load(into:_:), make the store with the loaded state, and do both again \
    for each store.
    """
  )

  static let savingAnotherState = Misuse(
    """
    The monitor of saving(_:) was given to a store whose state has a different type than the saved parts' state. Give \
    it to the factory whose initial state was loaded with these parts.
    """
  )

  static let savingTwice = Misuse(
    """
    The monitor of one saving(_:) was given to two factories. Both save the same parts, and would overwrite each \
    other's. Load the parts and call saving(_:) for each factory.
    """
  )

  static let doubledPart = Misuse(
    """
    Two persisted parts have the same name, so one would overwrite the other. Give each part of a storage its own \
    name.
    """
  )

  static let versionBelowOne = Misuse(
    """
    The version of a persisted part, or of a journal, is less than 1. Versions distinguish a stored value from later \
    ones, and count from 1. Declare version 1 or a greater one.
    """
  )

  static let savingNothing = Misuse(
    """
    A storage was given no parts to save: nothing of the state would be saved, and the actions of a journal would have \
    no state to start from. Declare at least one part.
    """
  )

  static let secondJournal = Misuse(
    """
    A journal was loaded from a storage that already has the journal of another store. Their actions would share one \
    log, and each store would reduce the other's actions at the next start. Give each store with a journal its own \
    folder.
    """
  )

  static let writingAheadWithoutJournal = Misuse(
    """
    writeAhead() is an interceptor of a monitor that has no journal, or a journal of other actions, so there is \
    nothing to write. Load the parts with a journal of the store's feature, and make the monitor with \
    saving(_:_:groupedFor:).
    """
  )

  static let writingAheadWithoutMonitor = Misuse(
    """
    writeAhead() is an interceptor of a monitor that was not given to the store's factory, so the changes of its \
    actions would not be saved. Give the factory both: the interceptor, and the monitor that made it.
    """
  )

  static let journalingAnotherReducer = Misuse(
    """
    A store reduces a journaled action differently from the feature of its journal: the next start would find a \
    different state. Give Journal(of:) the whole feature of the store's root, and let extract return the whole content \
    of an action. Let reducers depend on nothing but the state and the action: no date, no random number, no outside \
    variable.
    """
  )

  static let journalingOtherActions = Misuse(
    """
    The monitor of saving(_:_:) was given to a store whose actions have a different type than its journal's actions, \
    so none of them would be journaled. Declare the journal with the feature of that store.
    """
  )
}
