import ArborUI

/// The program's store, in the form for screens.
typealias TodosStore = ObservableStore<TodosState, TodosAction>
