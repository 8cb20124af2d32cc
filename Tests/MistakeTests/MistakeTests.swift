import Testing

#if (os(Linux) || os(macOS)) && !TSAN && !ASAN
  /// The compiler's reports of typical mistakes with features: an error, at the line of the mistake.
  @Suite("Mistakes with features", .serialized)
  struct MistakeTests {
    @Test func `the program without a mistake compiles`() async throws {
      let verdict = try await TypeChecker().check(
        Mistake.program + #"""
          let app = Feature<AppState, AppAction>.combined(
            todos.scoped(to: \.todos, action: AppAction.todos, extract: \.todos),
            editor.scoped(toOptional: \.editor, action: AppAction.editor, extract: \.editor),
            row.forEach(\.rows, action: AppAction.row, extract: \.row),
            Feature { state, action in state.notes = [] }
          )
          let screen = Feature<Screen, TodosAction>.combined(
            todos.scoped(toCase: Screen.list, at: \.list, action: { $0 }, extract: { $0 })
          )
          """#
      )
      #expect(verdict.isAccepted, "\(verdict.text)")
    }

    @Test(arguments: Mistake.all + Mistake.unexplained)
    func `a mistake is an error at its line`(_ mistake: Mistake) async throws {
      let verdict = try await TypeChecker().check(mistake.source)
      #expect(!verdict.isAccepted)
      let line = try #require(mistake.line)
      #expect(verdict.errors.first?.line == line, "\(verdict.text)")
    }
  }
#endif
