// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let arbor: Target.Dependency = .product(name: "Arbor", package: "Arbor")
let persistence: Target.Dependency = .product(name: "ArborPersistence", package: "Arbor")
let sync: Target.Dependency = .product(name: "ArborSync", package: "Arbor")

let package = Package(
  name: "Postgres",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "PostgresLog", targets: ["PostgresLog"]),
    .executable(name: "board", targets: ["board"]),
  ],
  dependencies: [
    // The name is explicit, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../..")
  ],
  targets: [
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "PostgresLog",
      dependencies: ["CPostgres", sync],
      resources: [.embedInCode("migration.sql")],
      swiftSettings: settings
    ),
    .target(name: "BoardCore", dependencies: [arbor, persistence, sync], swiftSettings: settings),
    .executableTarget(
      name: "board",
      dependencies: ["BoardCore", "PostgresLog", arbor, persistence, sync],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "crowd",
      dependencies: ["PostgresLog", arbor, persistence, sync],
      path: "Tests/Crowd",
      swiftSettings: settings
    ),
    .testTarget(
      name: "PostgresLogTests",
      dependencies: ["PostgresLog", arbor, persistence, sync],
      swiftSettings: settings
    ),
    .testTarget(
      name: "BoardTests", dependencies: ["BoardCore", "board", arbor, persistence, sync], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
