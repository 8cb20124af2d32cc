// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Arbor", path: "../Arbor")],
  targets: [
    .executableTarget(
      name: "Notes",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
        .product(name: "ArborRequests", package: "Arbor"),
      ]
    ),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes",
        .product(name: "ArborRequestsTesting", package: "Arbor"),
        .product(name: "ArborTesting", package: "Arbor"),
      ]
    ),
  ]
)
