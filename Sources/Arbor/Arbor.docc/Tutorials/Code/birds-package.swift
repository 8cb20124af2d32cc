// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Birds",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Arbor", path: "../Arbor")],
  targets: [
    .executableTarget(
      name: "Birds",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborDevTools", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
      ]
    ),
    .testTarget(
      name: "BirdsTests",
      dependencies: ["Birds", .product(name: "ArborTesting", package: "Arbor")]
    ),
  ]
)
