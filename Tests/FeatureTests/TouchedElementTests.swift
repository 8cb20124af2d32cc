import Arbor
import ArborTesting
import TestSupport
import Testing

/// Steps that change one of many elements, or none of them, while effects of the elements run.
@Suite("Feature: elements changed by a step")
struct TouchedElementTests {
  /// The number of times that the ids of elements were read.
  final class Reads: Sendable {
    let count = Protected(0)
  }

  struct Line: Identifiable, Sendable {
    var number: Int
    let reads: Reads
    var isOn = false
    var text = ""

    var id: Int {
      reads.count.withLock { $0 += 1 }
      return number
    }
  }

  enum LineAction: Sendable {
    /// Starts a task that records the number when it is canceled.
    case wait
    case turn(Bool)
    case write(String)
    case renumber(Int)
  }

  struct Page: Sendable {
    var lines: [Line]
    var count = 0
    var missing: Int?
  }

  enum PageAction: Sendable {
    case line(Int, LineAction)
    case change(@Sendable (inout Page) -> Void)

    var line: (Int, LineAction)? { if case .line(let id, let action) = self { (id, action) } else { nil } }
  }

  let executor = ManualExecutor()
  let clock = TestClock()
  let reads = Reads()
  let cancelled = RecordedValues<Int>()
  let asked = RecordedValues<String>()

  /// An effect that lasts until it is canceled.
  private func waiting(_ number: Int) -> Effect<LineAction> {
    .run { [clock, cancelled] _ in
      do { try await clock.sleep(for: .seconds(1)) } catch { cancelled.append(number) }
    }
  }

  private func line(_ stateEffects: [StateEffect<Line, LineAction>] = []) -> Feature<Line, LineAction> {
    Feature(
      effects: { line, action in if case .wait = action { waiting(line.number) } else { .none } },
      stateEffects: stateEffects,
      reducer: { line, action in
        switch action {
        case .wait: break
        case .turn(let isOn): line.isOn = isOn
        case .write(let text): line.text = text
        case .renumber(let number): line.number = number
        }
      }
    )
  }

  private func makeStore(
    _ count: Int,
    _ stateEffects: [StateEffect<Line, LineAction>] = []
  ) -> StoreFactory<Page, PageAction> {
    StoreFactory<Page, PageAction>(
      initialState: Page(lines: (0..<count).map { Line(number: $0, reads: reads) }),
      feature: Feature<Page, PageAction>.combined(
        line(stateEffects).forEach(\.lines, action: PageAction.line, extract: \.line),
        Feature { page, action in if case .change(let change) = action { change(&page) } }
      ),
      settings: TreeSettings(executor: executor)
    )
  }

  /// A failing mutation, because its part is missing: an action whose reducer applies only this makes no step.
  private func failingMutation() -> Mutation<Page> {
    let seen = RecordedValues<Mutation<Page>>()
    let store = CommitStore(
      initialState: Page(lines: []),
      feature: Feature(interceptor: { mutation, _ in seen.append(mutation) }, reducer: nil)
    )
    store.scope(atOptional: \.missing).commitLater { _ in }
    _ = store.state
    return seen.values[0]
  }

  /// Performs an action, and returns how often ids were read.
  private func reads(of action: PageAction, _ factory: StoreFactory<Page, PageAction>) -> Int {
    reads.count.withLock { $0 = 0 }
    factory.dispatch(action)
    executor.run()
    return reads.count.withLock { $0 }
  }

  @Test func `F3 a step reads only the element that it changes, no matter how many have tasks`() {
    let count = 500
    let factory = makeStore(count)
    let begun = (0..<count).map { reads(of: .line($0, .wait), factory) }
    // In the first step, each element is compared once.
    #expect(begun.reduce(0, +) <= 20 * count)
    #expect(reads(of: .change { $0.count += 1 }, factory) == 0)
    #expect(reads(of: .line(499, .write("a")), factory) <= 12)
    #expect(reads(of: .change { $0.lines.removeAll { $0.number.isMultiple(of: 2) } }, factory) <= 6 * count)
    #expect(cancelled.values == (0..<count).filter { $0.isMultiple(of: 2) })
    _ = reads(of: .change { $0.count += 1 }, factory)
    #expect(reads(of: .change { $0.count += 1 }, factory) == 0)
  }

  @Test func `F3 state effects read only the element that a step changes`() {
    let count = 500
    let factory = makeStore(
      count,
      [
        StateEffect(while: \.isOn) { line in waiting(line.number) },
        StateEffect(onChange: \.text) { [asked] line in
          asked.append("\(line.number): \(line.text)")
          return .none
        },
      ]
    )
    executor.run()
    for number in 0..<count { factory.dispatch(.line(number, .turn(true))) }
    executor.run()
    // Found once more: another element with a similar hash value may have overwritten the stored index.
    _ = reads(of: .line(7, .turn(true)), factory)
    #expect(reads(of: .change { $0.count += 1 }, factory) == 0)
    #expect(reads(of: .line(7, .write("a")), factory) <= 12)
    #expect(reads(of: .line(7, .turn(false)), factory) <= 12)
    #expect(asked.values == ["7: a"])
    #expect(cancelled.values == [7])
    factory.dispatch(.change { $0.lines[8].text = "b" })
    factory.dispatch(.change { $0.lines[9].isOn = false })
    executor.run()
    #expect(asked.values == ["7: a", "8: b"])
    #expect(cancelled.values == [7, 9])
  }

  @Test func `S1 an array whose elements have tasks is not copied in each change`() {
    /// Counts the changes that moved the array to another place in memory.
    let copies = RecordedValues<Int>()
    let factory = makeStore(1000)
    for number in 0..<10 { factory.dispatch(.line(number, .wait)) }
    executor.run()
    let change = PageAction.change { page in
      let before = page.lines.withUnsafeBufferPointer { $0.baseAddress }
      page.lines[500].text += "a"
      if page.lines.withUnsafeBufferPointer({ $0.baseAddress }) != before { copies.append(1) }
    }
    for _ in 0..<500 { factory.dispatch(change) }
    executor.run()
    // Each step checks ten elements, so after a hundred steps the work equals one copy.
    #expect(copies.values.count <= 500 / 100)
  }

  @Test func `S1 an array that is changed before each action of an element is not copied each time`() {
    let copies = RecordedValues<Int>()
    let factory = StoreFactory<Page, PageAction>(
      initialState: Page(lines: (0..<100).map { Line(number: $0, reads: reads) }),
      feature: Feature<Page, PageAction>.combined(
        Feature { page, _ in
          let before = page.lines.withUnsafeBufferPointer { $0.baseAddress }
          page.lines[50].text += "a"
          if page.lines.withUnsafeBufferPointer({ $0.baseAddress }) != before { copies.append(1) }
        },
        line().forEach(\.lines, action: PageAction.line, extract: \.line)
      ),
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(.line(0, .wait))
    executor.run()
    for _ in 0..<500 { factory.dispatch(.line(0, .write("b"))) }
    executor.run()
    #expect(copies.values.count <= 500 / 100)
  }

  @Test func `F3 an element that another one's action removes is noticed in that step`() {
    let factory = StoreFactory<Page, PageAction>(
      initialState: Page(lines: (0..<3).map { Line(number: $0, reads: reads) }),
      feature: Feature<Page, PageAction>.combined(
        Feature { page, action in if case .line(1, .write("before")) = action { page.lines.remove(at: 2) } },
        line().forEach(\.lines, action: PageAction.line, extract: \.line),
        Feature { page, action in if case .line(1, .write("behind")) = action { page.lines.remove(at: 0) } }
      ),
      settings: TreeSettings(executor: executor)
    )
    for number in 0..<3 { factory.dispatch(.line(number, .wait)) }
    executor.run()
    // A step between them, so that only the changes are read.
    factory.dispatch(.line(1, .write("a")))
    executor.run()
    factory.dispatch(.line(1, .write("before")))
    executor.run()
    #expect(cancelled.values == [2])
    factory.dispatch(.line(1, .write("behind")))
    executor.run()
    #expect(cancelled.values == [2, 0])
  }

  @Test func `F3 an element that changes its own id is another element`() {
    let factory = makeStore(3, [StateEffect(while: \.isOn) { line in waiting(10 + line.number) }])
    factory.dispatch(.line(1, .wait))
    factory.dispatch(.line(1, .turn(true)))
    executor.run()
    factory.dispatch(.line(1, .renumber(5)))
    executor.run()
    #expect(cancelled.values.sorted() == [1, 11])
    factory.dispatch(.line(5, .turn(false)))
    executor.run()
    #expect(cancelled.values.sorted() == [1, 11, 15])
  }

  @Test func `F3 a batch reads everything that its actions change`() {
    let factory = makeStore(
      4, [StateEffect(onChange: \.text) { [asked] line in .run { _ in asked.append(line.text) } }])
    for number in 0..<4 { factory.dispatch(.line(number, .wait)) }
    executor.run()
    factory.dispatch(batch: [.line(3, .write("a")), .change { $0.lines.remove(at: 0) }, .line(1, .write("b"))])
    executor.run()
    #expect(cancelled.values == [0])
    #expect(asked.values == ["b", "a"])
    factory.dispatch(batch: [.line(3, .write("c")), .line(2, .write("d")), .line(2, .write("e"))])
    executor.run()
    #expect(asked.values == ["b", "a", "e", "c"])
    factory.dispatch(batch: [.line(3, .write("f")), .line(1, .write("g"))])
    executor.run()
    #expect(asked.values == ["b", "a", "e", "c", "g", "f"])
  }

  @Test func `F3 a batch reads the changes of its last action, even if that makes no step`() {
    let factory = makeStore(4)
    let failing = failingMutation()
    for number in 0..<4 { factory.dispatch(.line(number, .wait)) }
    for _ in 0..<8 { factory.dispatch(.line(3, .write("a"))) }
    executor.run()
    factory.dispatch(
      batch: [
        .line(3, .write("b")),
        .change { page in
          failing.apply(to: &page)
          page.lines.remove(at: 0)
        },
      ]
    )
    executor.run()
    #expect(cancelled.values == [0])
  }

  @Test func `F3 a setter that removes other elements is noticed`() {
    struct Whole: Sendable {
      var stored: [Line]
      var lines: [Line] {
        get { stored }
        set { stored = newValue.filter { !$0.text.hasPrefix("gone") || newValue[0].text.isEmpty } }
      }
    }
    let factory = StoreFactory<Whole, PageAction>(
      initialState: Whole(stored: (0..<3).map { Line(number: $0, reads: reads) }),
      feature: line().forEach(\Whole.lines, action: PageAction.line, extract: \.line),
      settings: TreeSettings(executor: executor)
    )
    for number in 0..<3 { factory.dispatch(.line(number, .wait)) }
    factory.dispatch(.line(2, .write("gone")))
    executor.run()
    #expect(cancelled.values == [])
    factory.dispatch(.line(0, .write("a")))
    executor.run()
    #expect(cancelled.values == [2])
  }

  @Test func `F3 elements of elements end with either of the two`() {
    struct Section: Identifiable, Sendable {
      let id: Int
      var page: Page
    }
    struct SectionAction: Sendable {
      let section: Int
      let action: PageAction

      init(_ section: Int, _ action: PageAction) {
        (self.section, self.action) = (section, action)
      }
    }
    let page = Feature<Page, PageAction>.combined(
      line([StateEffect(while: \.isOn) { line in waiting(10 + line.number) }])
        .forEach(\.lines, action: PageAction.line, extract: \.line),
      Feature { page, action in if case .change(let change) = action { change(&page) } }
    )
    let factory = StoreFactory<[Section], SectionAction>(
      initialState: (0..<2).map { section in
        Section(id: section, page: Page(lines: (0..<2).map { Line(number: 2 * section + $0, reads: reads) }))
      },
      feature: Feature<[Section], SectionAction>.combined(
        page.scoped(to: \Section.page, action: { $0 }, extract: { $0 })
          .forEach(\.self, action: SectionAction.init, extract: { $0.section < 0 ? nil : ($0.section, $0.action) }),
        Feature { sections, action in if action.section < 0 { sections.remove(at: 0) } }
      ),
      settings: TreeSettings(executor: executor)
    )
    for number in 0..<4 {
      factory.dispatch(SectionAction(number / 2, .line(number, .wait)))
      factory.dispatch(SectionAction(number / 2, .line(number, .turn(true))))
    }
    executor.run()
    factory.dispatch(SectionAction(1, .change { $0.lines.removeLast() }))
    executor.run()
    #expect(cancelled.values.sorted() == [3, 13])
    factory.dispatch(SectionAction(-1, .change { _ in }))
    executor.run()
    #expect(cancelled.values.sorted() == [0, 1, 3, 10, 11, 13])
    factory.dispatch(SectionAction(1, .line(2, .turn(false))))
    executor.run()
    #expect(cancelled.values.sorted() == [0, 1, 3, 10, 11, 12, 13])
  }

  @Test func `a task of an element keeps no other element alive`() {
    final class Object: Sendable {}
    struct Held: Identifiable, Sendable {
      let id: Int
      var object: Object?
    }
    weak var removed: Object?
    let factory: StoreFactory<[Held], Int>
    do {
      let object = Object()
      removed = object
      factory = StoreFactory<[Held], Int>(
        initialState: [Held(id: 1), Held(id: 2, object: object)],
        feature: Feature<[Held], Int>.combined(
          Feature<Held, Int>(effects: { [clock] _, _ in .run { _ in try await clock.sleep(for: .seconds(1)) } })
            .forEach(\[Held].self, action: { $1 }, extract: { $0 < 0 ? nil : (1, $0) }),
          Feature { held, action in if action < 0 { held.removeAll { $0.id == -action } } }
        ),
        settings: TreeSettings(executor: executor)
      )
    }
    factory.dispatch(0)
    factory.dispatch(0)
    executor.run()
    factory.dispatch(-2)
    executor.run()
    #expect(removed == nil)
    clock.advance(by: .seconds(1))
    executor.run()
    withExtendedLifetime(factory) {}
  }
}
