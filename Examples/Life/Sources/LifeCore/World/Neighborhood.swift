/// The rule of the game for 64 cells at once: each bit of these numbers belongs to a different cell.
///
/// - A cell lives in the next generation if its neighborhood of nine cells, including itself, has three living cells,
///   or if it has four and the cell is alive.
struct Neighborhood {
  /// The count of three adjacent cells: `ones` has the lower bit, `twos` the upper one.
  struct Row {
    let middle: UInt64
    let ones: UInt64
    let twos: UInt64

    init(left: UInt64, middle: UInt64, right: UInt64) {
      self.middle = middle
      ones = left ^ middle ^ right
      twos = left & middle | right & (left ^ middle)
    }
  }

  let above: Row
  let here: Row
  let below: Row

  /// The cells of the next generation.
  var next: UInt64 {
    let ones = above.ones ^ here.ones ^ below.ones
    let carry = above.ones & here.ones | below.ones & (above.ones ^ here.ones)
    // The count is one and two times the four numbers that follow: three if one of them is set and one is, four if two
    // of them are set and one is not.
    let (first, second) = (above.twos ^ here.twos, below.twos ^ carry)
    let (both, others) = (above.twos & here.twos, below.twos & carry)
    let isOdd = first ^ second
    let three = isOdd & ~(both | others) & ones
    let four = ~isOdd & ~ones & ((first & second) | (both ^ others))
    return three | four & here.middle
  }
}
