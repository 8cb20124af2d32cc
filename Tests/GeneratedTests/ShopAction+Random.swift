import TestSupport

extension ShopAction {
  /// A random action from outside.
  static func random(using random: inout SplitMix64) -> ShopAction {
    // Long texts take many lines.
    let texts = random.once(in: 16) ? Shop.texts.suffix(2) : Shop.texts.dropLast(2)
    let text = texts.randomElement(using: &random)!
    let number = Int.random(in: 0..<4, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return .enter(Visitor(name: text, age: number == 0 ? nil : number))
    case 1: return .move(Address(street: text, city: "Rome"))
    case 2: return .grow(age: number == 0 ? nil : number)
    case 3: return number == 0 ? .leave : .browse
    case 4...6: return .add(Row(id: Int.random(in: 0..<9_999_999, using: &random), title: text))
    case 7: return .rename(number, to: text)
    case 8: return .count(number, by: 1)
    case 9: return .note([nil, .some(nil), text].randomElement(using: &random)!)
    case 10: return .drop
    case 11: return .restock(["Rake": 7].merging([text: number]) { $1 })
    case 12: return .label(Label.random(using: &random), price: number == 0 ? nil : Double(number) / 3)
    case 13: return .type(String(text.prefix(2)))
    case 14: return .pay(number < 2 ? .cash : .card(text.prefix(9)))
    default: return .refuse(reason: text)
    }
  }
}

extension Label {
  fileprivate static func random(using random: inout SplitMix64) -> Label {
    [Label.none, .new, .reduced(percent: 10), .reduced(percent: 20)].randomElement(using: &random)!
  }
}
