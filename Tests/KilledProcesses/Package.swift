// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "KilledProcesses",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Arbor", path: "../..")],
  targets: [
    .executableTarget(
      name: "writer",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(name: "killer", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
