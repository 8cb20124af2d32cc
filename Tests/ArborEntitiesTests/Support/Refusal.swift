/// What closures throw in tests.
struct Refusal: Error, Equatable {}
