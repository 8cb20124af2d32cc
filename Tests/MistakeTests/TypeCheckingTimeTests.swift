import Foundation
import Testing

#if (os(Linux) || os(macOS)) && !TSAN && !ASAN
  /// The time that the compiler takes for a program with many features. Runs only if `ARBOR_TYPE_CHECKING_RUNS` gives a
  /// number of runs, because it takes seconds and requires an otherwise idle machine.
  @Suite("Type checking")
  struct TypeCheckingTimeTests {
    static let runs = ProcessInfo.processInfo.environment["ARBOR_TYPE_CHECKING_RUNS"].flatMap(Int.init) ?? 0

    @Test(.enabled(if: runs > 0))
    func `100 features cost at most 1.3 times as much as a manual switch`() async throws {
      let checker = try TypeChecker()
      let program = Program(parts: 100)
      var bySwitch: [Duration] = []
      var byFeatures: [Duration] = []
      // Alternate, so that other work on the machine slows both.
      for _ in 0..<Self.runs {
        bySwitch.append(try await time(of: program.withSwitch, with: checker))
        byFeatures.append(try await time(of: program.withFeatures, with: checker))
      }
      let (one, other) = (median(bySwitch), median(byFeatures))
      print("type checking of \(program.parts) parts: a switch \(one), features \(other), ratio \(other / one)")
      #expect(other / one <= 1.3)
    }

    private func time(of source: String, with checker: TypeChecker) async throws -> Duration {
      let start = ContinuousClock.now
      let verdict = try await checker.check(source)
      let time = ContinuousClock.now - start
      #expect(verdict.isAccepted, "\(verdict.text)")
      return time
    }

    private func median(_ times: [Duration]) -> Duration {
      times.sorted()[times.count / 2]
    }
  }
#endif

/// A program with a number of parts, each with its own state and actions.
private struct Program {
  let parts: Int

  private func forEachPart(_ text: (Int) -> String) -> String {
    (0..<parts).map(text).joined(separator: "\n")
  }

  /// The types of each part, and a constant whose type is made by a closure.
  private func declarations(_ name: String, _ type: String, isCall: Bool) -> String {
    forEachPart { number in
      """
      struct State\(number): Sendable {
        var count = 0
        var text = ""
      }

      enum Action\(number): Sendable {
        case increment
        case rename(String)
      }

      let \(name)\(number)\(isCall ? " =" : ":") \(type)<State\(number), Action\(number)>\(isCall ? "" : " =") { state, action in
        switch action {
        case .increment: state.count += 1
        case .rename(let text): state.text = text
        }
      }

      """
    }
  }

  private var state: String {
    "struct AppState: Sendable {\n\(forEachPart { "  var part\($0) = State\($0)()" })\n}\n"
  }

  private var cases: String { forEachPart { "  case part\($0)(Action\($0))" } }

  private var properties: String {
    forEachPart { "  var part\($0): Action\($0)? { if case .part\($0)(let action) = self { action } else { nil } }" }
  }

  /// A reducer of each part, and a switch that calls them.
  var withSwitch: String {
    """
    import Arbor

    \(declarations("reducer", "Reducer", isCall: false))
    \(state)
    enum AppAction: Sendable {
    \(cases)
    }

    let app: Reducer<AppState, AppAction> = { state, action in
      switch action {
    \(forEachPart { "  case .part\($0)(let action): reducer\($0)(&state.part\($0), action)" })
      }
    }
    """
  }

  /// A feature of each part, and their combination.
  var withFeatures: String {
    let scoped = (0..<parts).map { number in
      "  feature\(number).scoped(to: \\.part\(number), action: AppAction.part\(number), extract: \\.part\(number))"
    }
    return """
      import Arbor

      \(declarations("feature", "Feature", isCall: true))
      \(state)
      enum AppAction: Sendable {
      \(cases)
      \(properties)
      }

      let app = Feature<AppState, AppAction>.combined(
      \(scoped.joined(separator: ",\n"))
      )
      """
  }
}
