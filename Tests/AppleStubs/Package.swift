// swift-tools-version: 6.2

// The library's modules, built from the same files, together with stubs of Apple's frameworks. So code that uses those
// frameworks is compiled, and partly run, on Linux.
//
// - `Combine` is OpenCombine. `SwiftUI`, `UIKit`, `AppKit` and `os` declare only the symbols that the library and its
//   examples use, each with a link to Apple's documentation.
// - It is a separate package: a target named `SwiftUI` in the library's package would be visible to all its users.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .define("APPLE_STUBS"),
]

let package = Package(
  name: "AppleStubs",
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    .target(name: "os", swiftSettings: settings),
    .target(
      name: "Combine",
      dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: settings
    ),
    .target(name: "UniformTypeIdentifiers", swiftSettings: settings),
    .target(name: "SwiftUI", dependencies: ["Combine", "UniformTypeIdentifiers"], swiftSettings: settings),
    .target(name: "UIKit", swiftSettings: settings),
    .target(name: "AppKit", swiftSettings: settings),
    .target(name: "ArborCore", dependencies: ["os"], swiftSettings: settings),
    .target(name: "Arbor", dependencies: ["ArborCore", "os"], swiftSettings: settings),
    .target(name: "ArborDiff", dependencies: ["Arbor"], swiftSettings: settings),
    .target(name: "ArborEntities", dependencies: ["Arbor"], swiftSettings: settings),
    .target(
      name: "ArborDevTools",
      dependencies: ["Arbor", "ArborDiff", "os"],
      exclude: ["Page/Web"],
      swiftSettings: settings
    ),
    .target(name: "ArborTesting", dependencies: ["Arbor", "ArborDiff"], swiftSettings: settings),
    .target(name: "ArborPersistence", dependencies: ["Arbor"], swiftSettings: settings),
    .target(
      name: "ArborUI",
      dependencies: ["Arbor", "ArborEntities", "AppKit", "Combine", "SwiftUI", "UIKit"],
      swiftSettings: settings
    ),
    .target(name: "Network", swiftSettings: settings),
    .target(
      name: "ArborRequests",
      dependencies: ["Arbor", "ArborEntities", "AppKit", "Network", "UIKit"],
      swiftSettings: settings
    ),
    .target(name: "TestSupport", dependencies: ["Arbor", "ArborTesting"], swiftSettings: settings),
    .target(name: "FamiliarNames", swiftSettings: settings),
    .executableTarget(
      name: "TodosApp",
      dependencies: [
        "Arbor", "ArborEntities", "ArborPersistence", "ArborUI", "AppKit", "SwiftUI", "UniformTypeIdentifiers",
      ],
      exclude: ["Core/Terminal"],
      swiftSettings: settings
    ),
    .target(name: "AlbumServer", swiftSettings: settings),
    .executableTarget(
      name: "AlbumsApp",
      dependencies: [
        "AlbumServer", "Arbor", "ArborEntities", "ArborPersistence", "ArborRequests", "ArborUI", "AppKit", "SwiftUI",
      ],
      exclude: ["Core/Terminal"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AppleScreenTests",
      dependencies: [
        "Arbor", "ArborEntities", "ArborRequests", "ArborTesting", "ArborUI", "AppKit", "Combine", "FamiliarNames",
        "Network", "SwiftUI", "TestSupport", "UIKit",
      ],
      // In addition to Apple's own modules, Testing has overlays, which are missing here.
      swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
    ),
    .testTarget(
      name: "TodosAppTests",
      dependencies: ["Arbor", "ArborEntities", "ArborTesting", "ArborUI", "SwiftUI", "TodosApp"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AlbumsAppTests",
      dependencies: ["AlbumsApp", "Arbor", "ArborRequests", "ArborTesting", "ArborUI", "SwiftUI"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
