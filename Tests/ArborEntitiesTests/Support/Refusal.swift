/// The error that closures throw in tests.
struct Refusal: Error, Equatable {}
