import Arbor
import ArborUI

/// Screens.
extension Engine {
  @MainActor
  func perform(_ operation: ScreenOperation) {
    switch operation {
    case .show(let number, let source): add(number) { makeScreen(of: source) }
    case .showScope(let number, let base): add(number) { use(base) { $0.makeScope(number) } }
    case .showRows(let number, let base): add(number) { use(base) { $0.makeRows() } }
    case .showRow(let number, let id, let base): add(number) { use(base) { $0.makeRow(id) } }
    case .drop(let number): drop(number)
    case .read(let sight):
      if let screen = screens[sight.screen] { note(.seen, sight.screen, 0, [screen.read(sight.part)].digest) }
    case .track(let parts, let screen, let reader):
      screens[screen]?.track(parts) { [unowned self] digest in occurrences.tell(reader, digest) }
    case .apply(let number, let sights): apply(number, sights)
    case .stopApplying(let number):
      let application = appliers[number].take()
      withExtendedLifetime(application) {}
    case .send(let script, let screen): use(screen) { $0.send(script.number) }
    case .write(let script, let sight, let value):
      use(sight.screen) { $0.write(value, to: sight.part, script.number) }
    }
  }

  /// Keeps a screen during a body, in which another thread may release it.
  @MainActor
  @discardableResult
  private func use<Result>(_ number: Int, _ body: (any SimulatedScreen) -> Result?) -> Result? {
    guard let screen = screens[number] else { return nil }
    return withExtendedLifetime(screen) { body(screen) }
  }

  @MainActor
  private func add(_ number: Int, _ make: () -> (any SimulatedScreen)?) {
    guard screens[number] == nil, let screen = make() else { return }
    // Another thread may have made one meanwhile.
    guard screens[number] == nil else { return }
    screens[number] = screen
    note(.shown, number, 0, [screen.read(.whole)].digest)
  }

  @MainActor
  private func makeScreen(of source: Source?) -> (any SimulatedScreen)? {
    switch source {
    case .store(let base): return stores[base]?.makeScreen()
    case .derived(let base):
      guard let derived = deriveds[base], let value = derived.input else { return nil }
      return TypedScreen(value.observable(), in: executor.number(of: derived.tree), nil)
    case nil:
      let state = SimulatedState(Digest(tree: 0))
      return TypedScreen(ObservableStore<SimulatedState, Never>.constant(state), in: 0, nil)
    }
  }

  @MainActor
  private func drop(_ number: Int) {
    guard screens[number] != nil else { return }
    weak let object = screens[number]?.object
    letGo(of: number)
    note(.dropped, number, object == nil ? 1 : 0)
  }

  private func letGo(of number: Int) {
    let screen = screens[number].take()
    withExtendedLifetime(screen) {}
  }

  @MainActor
  private func apply(_ number: Int, _ sights: [Sight]) {
    guard appliers[number] == nil else { return }
    let application = ArborUI.observe { [unowned self] in
      sights.map { screens[$0.screen]?.read($0.part) ?? 0 }
    } apply: { [unowned self] values in
      note(.applied, number, 0, values.digest)
      // No screen is kept here: a reaction may release it.
      let trees = sights.compactMap { screens[$0.screen]?.tree }
      if let tree = trees.first { react(to: latest[tree], at: Place(.application, number)) }
    }
    // Another thread may have made one meanwhile.
    if appliers[number] == nil { appliers[number] = application } else { application.cancel() }
  }
}
