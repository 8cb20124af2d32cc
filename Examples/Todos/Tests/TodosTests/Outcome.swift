/// The output and the exit status of a run of the program.
struct Outcome: Equatable {
  var lines: [String] = []
  var errors: [String] = []
  var status: Int32 = 0
}
