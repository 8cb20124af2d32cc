/// Changes the filter.
func filterReducer(_ state: inout Filter, _ action: FilterAction) {
  switch action {
  case .show(let filter): state = filter
  }
}
