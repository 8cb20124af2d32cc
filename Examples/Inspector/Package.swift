// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Inspector",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ArborInspector", targets: ["ArborInspector"]),
    .executable(name: "inspector", targets: ["inspector"]),
  ],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "ArborInspector",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborDevTools", package: "Arbor"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Shop",
      dependencies: [
        "ArborInspector",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborDevTools", package: "Arbor"),
        .product(name: "ArborRequests", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(name: "inspector", dependencies: ["Shop"], swiftSettings: settings),
    .testTarget(
      name: "ArborInspectorTests",
      dependencies: [
        "ArborInspector",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborDevTools", package: "Arbor"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "Shop",
        "inspector",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborTesting", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
