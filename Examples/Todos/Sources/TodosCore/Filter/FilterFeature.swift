import Arbor

/// The filter of the shown list.
let filterFeature = Feature<Filter, FilterAction> { state, action in
  switch action {
  case .show(let filter): state = filter
  }
}
