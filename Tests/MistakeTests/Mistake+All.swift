extension Mistake {
  /// Mistakes that the compiler reports at their lines.
  static let all = [
    Mistake(
      "a part that is not there",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todo, action: AppAction.todos, extract: \.todos),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "a part of another type",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.rows, action: AppAction.todos, extract: \.todos),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "the case of another feature's actions",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.editor, extract: \.todos),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "an extract that returns the whole action",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: { $0 }),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "an extract that is the path of the whole action",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: \.self),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "a part of another state in a constant with a type",
      #"""
      let app: Feature<AppState, AppAction> = .combined(
        todos.scoped(to: \OtherState.todos, action: AppAction.todos, extract: \.todos),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "no extract",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "a reducer of another state",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: \.todos),
        Feature { (state: inout Todos, action) in state.titles = [] },  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "a feature of other actions",
      #"""
      let other = Feature<AppState, OtherAction> { _, _ in }
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: \.todos),
        other,  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "an optional part as one that is always there",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: \.todos),
        editor.scoped(to: \.editor, action: AppAction.editor, extract: \.editor)  // error
      )
      """#
    ),
    Mistake(
      "a part that is always there as an optional one",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(toOptional: \.todos, action: AppAction.todos, extract: \.todos),  // error
        editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor)
      )
      """#
    ),
    Mistake(
      "elements that are not identifiable",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: \.todos),
        note.forEach(\.notes, action: AppAction.row, extract: \.row)  // error
      )
      """#
    ),
    Mistake(
      "effects that return nothing",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: \.todos),
        Feature(
          effects: { state, action in
            print(action)  // error
          },
          reducer: { state, action in state.notes = [] }
        )
      )
      """#
    ),
    Mistake(
      "effects that send another feature's action",
      #"""
      let app = Feature<AppState, AppAction>.combined(
        todos.scoped(to: \.todos, action: AppAction.todos, extract: \.todos),
        Feature(
          effects: { state, action in
            .send(.clear)  // error
          },
          reducer: { state, action in state.notes = [] }
        )
      )
      """#
    ),
    Mistake(
      "a case of the state that does not exist",
      #"""
      let screen = Feature<Screen, AppAction>.combined(
        todos.scoped(toCase: Screen.lists, at: \.list, action: AppAction.todos, extract: \.todos)  // error
      )
      """#
    ),
    Mistake(
      "a feature of commits at an optional part",
      #"""
      let text = Feature<Editor, Mutation<Editor>> { _, _ in }
      let app = Feature<AppState, Mutation<AppState>>.combined(
        Feature { _, _ in },
        text.scoped(at: \.editor)  // error
      )
      """#
    ),
    Mistake(
      "an assignment to a record that has a unique key",
      #"""
      import ArborEntities

      struct Member: UniquelyIndexedEntity {
        let id: Int
        var name = ""

        static let byName = UniqueIndex(\Member.name)
        static var indexes: [any EntityIndex<Member>] { [byName] }
      }

      var members = EntityTable<Member>()
      print(members[5]?.name ?? "")
      members[5]?.name = "Ann"  // error
      """#
    ),
  ]

  /// Mistakes that the compiler fails to explain inside a combination, and reports at the combination's line. If each
  /// feature has a constant, the error is at the line of the mistake.
  static let unexplained = [
    Mistake(
      "a part of another state",
      #"""
      let part: Feature<AppState, AppAction> =
        todos.scoped(to: \OtherState.todos, action: AppAction.todos, extract: \.todos)  // error
      """#
    ),
    Mistake(
      "a case of another enum",
      #"""
      let part: Feature<AppState, AppAction> =
        todos.scoped(to: \.todos, action: OtherAction.todos, extract: \.todos)  // error
      """#
    ),
  ]
}
