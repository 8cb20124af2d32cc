/// The layers of a module: folders of its sources, of which each names those below it and none above.
struct Layers: Sendable {
  /// A folder, by its path in the module; the module's own folder is named "".
  typealias Layer = String

  /// The layers from the top down. Those of one row stand side by side and do not name each other.
  let rows: [[Layer]]

  /// What stands side by side and is named all the same: from a layer to those that it may name.
  let neighbors: [Layer: Set<Layer>]

  /// How many files of a layer may name each other in a circle; none where a layer is not named.
  let circles: [Layer: Int]

  func row(of layer: Layer) -> Int? {
    rows.firstIndex { $0.contains(layer) }
  }

  /// `true` if a file of one layer may name what another one declares.
  func mayName(_ named: Layer, from layer: Layer) -> Bool {
    guard named != layer else { return true }
    guard let namedRow = row(of: named), let row = row(of: layer) else { return false }
    return namedRow > row || neighbors[layer]?.contains(named) == true
  }

  /// The layers that may name what a layer declares, that layer included.
  func layers(thatMayName named: Layer) -> [Layer] {
    rows.joined().filter { mayName(named, from: $0) }
  }
}

extension Layers {
  /// The layers of `ArborCore`.
  static let core = Layers(
    rows: [
      ["Factories"],
      ["Features"],
      ["Interceptors"],
      ["Stores"],
      ["Steps"],
      ["Kernel"],
      ["Ground"],
    ],
    neighbors: [:],
    // A tree, its nodes and what is accepted for them know each other.
    circles: ["Kernel": 8]
  )

  /// The layers of `Arbor`, above those of `ArborCore`.
  static let toolkit = Layers(
    rows: [
      [""],
      ["History"],
      ["Effects", "Watching", "Commits", "Activities", "Monitoring", "Interceptors"],
      ["ScopedFeatures"],
      ["Tasks"],
      ["Values"],
    ],
    // Activities are delivered as states are. Values are written to the parts of commit stores, and jobs end by commits.
    neighbors: ["Activities": ["Watching"], "Commits": ["Watching", "Effects"]],
    // A table, its tasks and their lanes know each other.
    circles: ["Tasks": 3]
  )
}

extension Layers {
  /// The layers of `ArborEntities`, above those of `Arbor`. The module's own folder has the tables.
  static let entities = Layers(
    rows: [
      ["Differences", "Watching"],
      ["Indexes"],
      [""],
      ["IndexStorage"],
      ["Records"],
      ["Trie"],
    ],
    neighbors: [:],
    circles: [:]
  )
}

extension Layers {
  /// The layers that all capabilities are attached to.
  static let kernel: Set<Layer> = ["Kernel", "Steps", "Stores"]

  /// The words of the capabilities that were once part of the kernel, as they begin: travelling, holding an action, adding
  /// later, sharing, recording, history, derived values, deliveries on the main actor.
  private static let capabilities = [
    "travel", "held", "addition", "share", "sharing", "record", "histor", "derive", "derivation", "main",
  ]

  /// `true` if one of the words of which a name is made is that of a capability.
  static func namesCapability(_ name: String) -> Bool {
    var words: [String] = []
    for character in name {
      if character.isUppercase || words.isEmpty { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words.contains { word in capabilities.contains { word.hasPrefix($0) } }
  }
}
