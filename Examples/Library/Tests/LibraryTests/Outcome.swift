/// What a run of the program left behind.
struct Outcome: Equatable {
  var lines: [String] = []
  var errors: [String] = []
  var status: Int32 = 0
}
