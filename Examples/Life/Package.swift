// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let arbor: Target.Dependency = .product(name: "Arbor", package: "Arbor")
let devTools: Target.Dependency = .product(name: "ArborDevTools", package: "Arbor")

let package = Package(
  name: "Life",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "LifeCore",
      dependencies: [arbor, devTools, .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: settings
    ),
    .executableTarget(name: "life", dependencies: ["LifeCore"], swiftSettings: settings),
    .testTarget(name: "LifeTests", dependencies: ["LifeCore", "life", arbor], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
