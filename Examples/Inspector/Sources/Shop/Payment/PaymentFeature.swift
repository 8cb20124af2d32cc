import Arbor

/// The progress of a payment, with its amount and its card.
struct PaymentState: Codable, Equatable, Sendable {
  var work = JobState()

  /// The amount in cents.
  var amount = 0

  /// The card, which is redacted wherever it is shown.
  var card = Card(number: "")
}

/// The number of a customer's card, which is confidential.
struct Card: Codable, Equatable, Sendable, Confidential {
  let number: String
}

/// The actions of a payment.
enum PaymentAction: Codable, Equatable, Sendable {
  case pay(amount: Int, card: Card)
  case failed(String)
  case succeeded
}

/// The payment, which is retried a few times.
///
/// - Parameter charge: Charges the card; throws if this fails.
func paymentFeature(
  charge: @escaping @Sendable (_ amount: Int, _ attempt: Int) async throws -> Void
) -> Feature<PaymentState, PaymentAction> {
  Feature(
    stateEffects: [
      StateEffect(\.work, failure: { PaymentAction.failed("\($0)") }) { state in
        .run(key: "charge") { [amount = state.amount, attempt = state.work.attempt ?? 1] dispatch in
          try await charge(amount, attempt)
          dispatch(.succeeded)
        }
      }
    ],
    reducer: { state, action in
      switch action {
      case .pay(let amount, let card):
        state.amount = amount
        state.card = card
        state.work.run(maxAttempts: 3, backoff: .exponential(initial: .milliseconds(200)))
      case .failed(let reason): state.work.retryOrFail(reason)
      case .succeeded: state.work.succeed()
      }
    }
  )
}
