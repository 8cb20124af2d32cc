// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of the library. In release builds on Linux, each function has its own section, and public symbols aren't roots.
/// So the linker leaves out unused functions, and a small program becomes more than a quarter smaller. SwiftPM accepts these
/// flags from a package with a version only if its tools version is 6.2 or later.
let library: [SwiftSetting] =
  settings + [
    .unsafeFlags(
      ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
      .when(platforms: [.linux], configuration: .release)
    )
  ]

/// The settings of tests that aren't optimized in release builds, unlike the library that they test. Specializing generic code
/// in each test target would take longer than the rest of the build. Simulations and stress are optimized like programs. Modules
/// of tests are written with the code: hardly anything imports them, and writing one first checks all declarations twice.
let unoptimized: [SwiftSetting] =
  settings + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

let package = Package(
  name: "Arbor",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "ArborCore", targets: ["ArborCore"]),
    .library(name: "Arbor", targets: ["Arbor"]),
    .library(name: "ArborEntities", targets: ["ArborEntities"]),
    .library(name: "ArborDevTools", targets: ["ArborDevTools"]),
    .library(name: "ArborTesting", targets: ["ArborTesting"]),
    .library(name: "ArborUI", targets: ["ArborUI"]),
    .library(name: "ArborPersistence", targets: ["ArborPersistence"]),
    .library(name: "ArborSync", targets: ["ArborSync"]),
    .library(name: "ArborRequests", targets: ["ArborRequests"]),
    .library(name: "ArborRequestsTesting", targets: ["ArborRequestsTesting"]),
  ],
  targets: [
    .target(name: "ArborCore", swiftSettings: library),
    .target(name: "Arbor", dependencies: ["ArborCore"], swiftSettings: library),
    .target(name: "ArborEntities", dependencies: ["Arbor"], swiftSettings: library),
    .target(name: "ArborDiff", dependencies: ["Arbor"], swiftSettings: library),
    .target(
      name: "ArborDevTools",
      dependencies: ["Arbor", "ArborDiff"],
      exclude: ["Page/Web"],
      swiftSettings: library
    ),
    .target(name: "ArborTesting", dependencies: ["Arbor", "ArborDiff"], swiftSettings: library),
    .target(name: "ArborPersistence", dependencies: ["Arbor"], swiftSettings: library),
    .target(name: "ArborSync", dependencies: ["Arbor", "ArborPersistence"], swiftSettings: library),
    .target(name: "ArborUI", dependencies: ["Arbor", "ArborEntities"], swiftSettings: library),
    .target(name: "ArborRequests", dependencies: ["Arbor", "ArborEntities"], swiftSettings: library),
    .target(
      name: "ArborRequestsTesting",
      dependencies: ["Arbor", "ArborRequests", "ArborTesting"],
      swiftSettings: library
    ),
    .testTarget(name: "ArchitectureTests", swiftSettings: unoptimized),
    .target(
      name: "TestSupport",
      dependencies: ["Arbor", "ArborTesting"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    .target(
      name: "SimulatedFiles",
      dependencies: ["Arbor", "ArborPersistence", "TestSupport"],
      path: "Tests/SimulatedFiles",
      swiftSettings: settings
    ),
    .testTarget(
      name: "ArborCoreTests",
      dependencies: ["ArborCore", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "ArborTests",
      dependencies: ["Arbor", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "EffectTests",
      dependencies: ["Arbor", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "FeatureTests",
      dependencies: ["Arbor", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "WatchingTests",
      dependencies: ["Arbor", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "StressTests",
      dependencies: ["Arbor", "ArborEntities", "ArborTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["Arbor", "ArborEntities", "ArborUI", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ArborDevToolsTests",
      dependencies: ["Arbor", "ArborDevTools", "ArborEntities", "ArborTesting", "TestSupport"],
      exclude: ["Files/Kept"],
      swiftSettings: unoptimized
    ),
    .testTarget(name: "ArborDiffTests", dependencies: ["Arbor", "ArborDiff"], swiftSettings: unoptimized),
    .testTarget(
      name: "ArborEntitiesTests",
      dependencies: ["Arbor", "ArborDiff", "ArborEntities", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "ArborTestingTests",
      dependencies: ["Arbor", "ArborEntities", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "ArborPersistenceTests",
      dependencies: [
        "Arbor", "ArborDevTools", "ArborEntities", "ArborPersistence", "ArborTesting", "SimulatedFiles", "TestSupport",
      ],
      exclude: ["Kept/Version1"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "ArborSyncTests",
      dependencies: [
        "Arbor", "ArborEntities", "ArborPersistence", "ArborSync", "ArborTesting", "ArborUI", "SimulatedFiles",
        "TestSupport",
      ],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "ArborRequestsTests",
      dependencies: [
        "Arbor", "ArborDevTools", "ArborEntities", "ArborRequests", "ArborRequestsTesting", "ArborTesting",
        "TestSupport",
      ],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "RequestSimulationTests",
      dependencies: ["Arbor", "ArborEntities", "ArborRequests", "ArborTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ArborUITests",
      dependencies: ["Arbor", "ArborDevTools", "ArborEntities", "ArborTesting", "ArborUI", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(
      name: "GeneratedTests",
      dependencies: ["Arbor", "ArborDevTools", "ArborEntities", "ArborTesting", "TestSupport"],
      swiftSettings: unoptimized
    ),
    .testTarget(name: "MigrationTests", dependencies: ["Arbor"], swiftSettings: [.swiftLanguageMode(.v5)]),
    // The same file with the core as `Arbor`: code that was written for PureduxStore needs only the core.
    .testTarget(
      name: "CoreMigrationTests",
      dependencies: ["ArborCore"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-module-alias", "Arbor=ArborCore"])]
    ),
    .target(name: "FamiliarNames", path: "Tests/FamiliarNames", swiftSettings: settings),
    .testTarget(
      name: "NameTests",
      dependencies: [
        "Arbor", "ArborDevTools", "ArborEntities", "ArborPersistence", "ArborRequests", "ArborTesting", "ArborUI",
        "FamiliarNames",
      ],
      swiftSettings: unoptimized
    ),
    .testTarget(name: "MistakeTests", dependencies: ["Arbor", "ArborEntities"], swiftSettings: unoptimized),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "Arbor", "ArborDevTools", "ArborEntities", "ArborPersistence", "ArborRequests",
        "ArborRequestsTesting", "ArborSync", "ArborTesting", "ArborUI",
      ],
      swiftSettings: unoptimized
    ),
  ],
  swiftLanguageModes: [.v6]
)

// The gate leaves out targets whose tests have the same results in another kind of build.
let leftOut = Context.environment["ARBOR_WITHOUT"]?.split(separator: " ").map(String.init) ?? []
package.targets.removeAll { leftOut.contains($0.name) }
