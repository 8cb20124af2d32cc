import Arbor

/// The list.
let listFeature = Feature<ListState, ListAction>(reducer: listReducer)
