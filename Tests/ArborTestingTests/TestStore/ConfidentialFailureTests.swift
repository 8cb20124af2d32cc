import Arbor
import ArborTesting
import Testing

@Suite("Confidential values in failures of test stores")
struct ConfidentialFailureTests {
  struct Password: Equatable, Sendable, Confidential {
    var text: String
  }

  struct Login: Equatable, Sendable {
    var password = Password(text: "")
  }

  enum LoginAction: Equatable, Sendable {
    case type(Password)
  }

  @Test func `a failure shows the actions and the states, but none of their secrets`() async {
    let failures = await TestRunner.catching {
      let store = TestStore<Login, LoginAction>(
        initialState: Login(),
        effects: { _, action in action == .type(Password(text: "s3cr3t")) ? .send(.type(Password(text: "hush"))) : .none
        }
      ) { state, action in
        if case .type(let password) = action { state.password = password }
      }
      await store.send(.type(Password(text: "s3cr3t"))) { $0.password = Password(text: "exp3cted") }
      await store.finish()
    }.failures
    let text = failures.map { "\($0.failure)" }.joined(separator: "\n")
    #expect(failures.count == 2)
    #expect(text.contains("‹redacted›"))
    for secret in ["s3cr3t", "exp3cted", "hush"] { #expect(!text.contains(secret)) }
  }
}
