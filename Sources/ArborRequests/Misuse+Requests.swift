internal import Arbor

extension Misuse {
  static let severalDefinitions = Misuse(
    """
    Two requests, or two changes, of one cache have the same name, so an entry would belong to both. Pass each \
    definition once, and give each its own name.
    """
  )
}
