// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "Bench",
  products: [
    .executable(name: "bench", targets: ["bench"]),
    .executable(name: "floor", targets: ["floor"]),
    // Counts the allocations of a process that loads it.
    .library(name: "allocations", type: .dynamic, targets: ["CAllocations"]),
  ],
  dependencies: [
    .package(name: "CameraBus", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "CameraClient", package: "CameraBus"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "floor",
      cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("zmq"), .linkedLibrary("turbojpeg")]),
    .target(name: "CAllocations"),
  ]
)
