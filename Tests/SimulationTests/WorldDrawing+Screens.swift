/// Drawing operations on screens.
extension WorldDrawing {
  /// The screens drawn so far, and the functions that apply their content.
  struct Screens {
    var states: [Int] = []
    var lists: [Int] = []
    var others: [Int] = []
    var appliers: [Int] = []
  }

  mutating func screenOperation(_ nesting: Int) -> ScreenOperation {
    switch Int.random(in: 0..<36, using: &random) {
    case 0..<4: .show(newNumber(\.states, nesting), .store(store().number))
    case 4: .show(newNumber(\.others, nesting), chance(7, in: 8) ? .derived(derived()) : nil)
    case 5, 6: .showScope(newNumber(\.states, nesting), of: one(of: \.states))
    case 7, 8, 9: .showRows(newNumber(\.lists, nesting), of: one(of: \.states))
    case 10..<14:
      .showRow(newNumber(\.others, nesting), id: Int.random(in: 0..<3, using: &random), of: one(of: \.lists))
    case 14: .drop(screen())
    case 15, 16, 17: .read(sight())
    case 18, 19:
      .apply(newNumber(\.appliers, nesting), (0..<Int.random(in: 1...3, using: &random)).map { _ in sight() })
    case 20: .stopApplying(one(of: \.appliers))
    case 21, 22: .send(script(nesting), screen: screen())
    case 23..<28:
      .write(
        script(nesting),
        Sight(screen: screen(), part: chance(1, in: 2) ? .half : .third),
        value: Int.random(in: 0..<4, using: &random)
      )
    default:
      .track(
        (0..<Int.random(in: 1...2, using: &random)).map { _ in part() },
        screen: screen(),
        reader: Int.random(in: 0..<8, using: &random)
      )
    }
  }

  private mutating func sight() -> Sight { Sight(screen: screen(), part: part()) }

  private mutating func part() -> ScreenPart {
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: .half
    case 2, 3: .third
    default: .whole
    }
  }

  private mutating func screen() -> Int {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: one(of: \.lists)
    case 1, 2: one(of: \.others)
    default: one(of: \.states)
    }
  }

  /// One of the newest: older ones are more often released.
  private mutating func one(of kind: KeyPath<Screens, [Int]>) -> Int {
    screens[keyPath: kind].suffix(4).randomElement(using: &random) ?? 0
  }

  private mutating func newNumber(_ kind: WritableKeyPath<Screens, [Int]>, _ nesting: Int) -> Int {
    let number = newNumber()
    // An object drawn for a callback is mostly never created.
    if nesting == 0 || chance(1, in: 4) { screens[keyPath: kind].append(number) }
    return number
  }
}
