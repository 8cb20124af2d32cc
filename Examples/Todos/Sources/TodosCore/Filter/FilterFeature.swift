import Arbor

/// The filter through which the list is shown.
let filterFeature = Feature<Filter, FilterAction> { state, action in
  switch action {
  case .show(let filter): state = filter
  }
}
