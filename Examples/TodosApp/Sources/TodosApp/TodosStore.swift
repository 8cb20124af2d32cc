import ArborUI

/// The program's store, as screens have it.
typealias TodosStore = ObservableStore<TodosState, TodosAction>
