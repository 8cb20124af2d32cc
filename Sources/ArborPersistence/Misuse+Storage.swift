internal import Arbor

extension Misuse {
  static let brokenMigrations = Misuse(
    """
    The migrations of a persisted value do not fit together: each must lead from a greater version than the one before. \
    One between types must take the type that the one before returns, and return the type that is stored now if it is \
    the last, or an Encodable type if a migration of the stored form follows. Otherwise a stored value of an older \
    version could not be read.
    """
  )

  static let savingWithoutLoading = Misuse(
    """
    saving(_:) was called for parts that were not loaded, or were saved already: an initial state could be saved over a \
    stored one. Load the parts by one call of load(into:_:), make the store with the state that is loaded, and do both \
    again for each store.
    """
  )

  static let savingAnotherState = Misuse(
    """
    The monitor of saving(_:) was given to a store whose state is of another type than the one whose parts it saves. \
    Give it to the factory whose initial state was loaded with these parts.
    """
  )

  static let savingTwice = Misuse(
    """
    The monitor of one saving(_:) was given to two factories. Each saves the same parts, and what one has saved the \
    other would overwrite. Load the parts and call saving(_:) for each factory.
    """
  )

  static let doubledPart = Misuse(
    """
    Two persisted parts have the same name: the one would be saved over the other. Give each part of a storage a name \
    of its own.
    """
  )

  static let versionBelowOne = Misuse(
    """
    The version of a persisted part, or of a journal, is less than 1. A stored value is told from later ones by its \
    version, which is counted from 1 on. Declare the version 1, or a greater one.
    """
  )

  static let savingNothing = Misuse(
    """
    A storage was to save no parts: nothing of the state would be there tomorrow, and the actions of a journal would have \
    nothing to begin with. Declare at least one part.
    """
  )

  static let secondJournal = Misuse(
    """
    A journal was loaded from a storage that has one already, of another store. Their actions would stand in one log, and \
    each store would reduce those of the other at the next start. Give each store with a journal a folder of its own.
    """
  )

  static let writingAheadWithoutJournal = Misuse(
    """
    writeAhead() is an interceptor of a monitor that has no journal, or one of other actions, so that there is nothing \
    to write. Load the parts with a journal of the store's feature, and make the monitor by saving(_:_:groupedFor:).
    """
  )

  static let writingAheadWithoutMonitor = Misuse(
    """
    writeAhead() is an interceptor of a monitor that was not given to the store's factory, so that nobody would save \
    what its actions change. Give the factory both: the interceptor, and the monitor that has made it.
    """
  )

  static let journalingAnotherReducer = Misuse(
    """
    A store reduces a journaled action otherwise than the feature of its journal does: the next start would find another \
    state. Give Journal(of:) the whole feature of the store's root, let extract return the whole content of an action, \
    and let reducers depend on the state and the action alone: no date, no random number, no variable outside.
    """
  )

  static let journalingOtherActions = Misuse(
    """
    The monitor of saving(_:_:) was given to a store whose actions are of another type than those of its journal, so \
    that none of them would be journaled. Declare the journal of the feature of that store.
    """
  )
}
