extension Feature {
  /// The feature with effects that each client of a shared store performs, instead of the sender of an action alone.
  ///
  /// - They are asked with confirmed states, as all effects of a shared store. What they dispatch is an action of each client.
  /// - In any other store it is the same feature.
  @inlinable
  public func performedEverywhere() -> Feature {
    Feature(making: { place in
      var place = place
      place.sharing = place.sharing?.everywhere
      return make(place)
    })
  }
}
