internal import Arbor

extension Misuse {
  static let brokenMigrations = Misuse(
    """
    The migrations of a persisted value do not fit together: each must lead from a greater version than the one before, \
    and take the type that the one before returns; the last must return the type that is stored now. Otherwise a stored \
    value of an older version could not be read.
    """
  )

  static let savingWithoutLoading = Misuse(
    """
    saving(_:) was called for parts of which load(into:_:) was not called before, or only before another saving(_:). An \
    initial state could be saved over a stored one. Load the parts first, make the store with the state that is loaded, \
    and do both again for each store.
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
}
