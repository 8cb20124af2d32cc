// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Arbor", path: "../Arbor")],
  targets: [
    .executableTarget(name: "App", dependencies: [.product(name: "Arbor", package: "Arbor")]),
    .testTarget(name: "AppTests", dependencies: ["App", .product(name: "ArborTesting", package: "Arbor")]),
  ]
)
