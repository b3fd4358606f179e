// swift-tools-version: 6.2
import PackageDescription

/// Whether to build the fuzzers, which need every target with counters of the code that ran.
/// `Tests/Fuzz/run` sets this, and has a build folder of its own.
let fuzzes = Context.environment["CAMERABUS_FUZZES"] != nil

/// Whether to build the benchmark. `Deploy/bench` sets this.
let benchmarks = Context.environment["CAMERABUS_BENCHMARKS"] != nil

let commonSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let settings: [SwiftSetting] =
  commonSettings + [
    .strictMemorySafety(),
    // Spans over C memory carry their owner's lifetime (`@_lifetime`), which is still experimental
    // in Swift 6.3.
    .enableExperimentalFeature("Lifetimes"),
  ] + (fuzzes ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let collections = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
// HTTP, which only camweb links.
let http: [Target.Dependency] = [
  .product(name: "HTTPTypes", package: "swift-http-types"),
  .product(name: "HummingbirdCore", package: "hummingbird"),
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
  .product(name: "NIOPosix", package: "swift-nio"),
]
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
  name: "CameraBus",
  products: [
    .library(name: "CameraClient", targets: ["CameraClient"]),
    .library(name: "CameraRig", targets: ["CameraRig"]),
    .library(name: "ZeroMQ", targets: ["ZeroMQ"]),
    .executable(name: "camerad", targets: ["camerad"]),
    .executable(name: "camctl", targets: ["camctl"]),
    .executable(name: "camweb", targets: ["camweb"]),
  ]
    // Counts the allocations of a process that loads it.
    + (benchmarks
      ? [.library(name: "allocations", type: .dynamic, targets: ["CAllocations"])] : []),
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    // Without its default trait, which needs Foundation.
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    // Without its default traits: one of them needs Foundation, which brings 35 MB of tables.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // Without its default traits, which are for configuration files.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // System libraries: module maps, and shims for macros and variadic calls that Swift cannot
    // import.
    .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev", "libjpeg62-turbo-dev"])]),
    .systemLibrary(name: "CHEIF", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(name: "CVideo4Linux", providers: [.apt(["libv4l-dev"])]),
    .systemLibrary(
      name: "CFFmpeg",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev",
        ])
      ]),
    .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "CConnections",
      cSettings: fuzzes ? [.unsafeFlags(["-fsanitize=fuzzer-no-link"])] : []),
    .target(name: "CLinux"),
    // Loads libavahi-client when it is needed, and so is not linked with it.
    .target(name: "CAvahi"),
    .target(name: "CPixels"),
    .target(name: "CStandardStreams"),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png16")]),

    library("OperatingSystem", ["CLinux"]),
    library("EventLoop", ["CLinux", "OperatingSystem"]),
    // What people write and read: numbers, sizes, durations, names that they misspell.
    library("Words", ["OperatingSystem"]),
    library("ZeroMQ", ["CLinux", "EventLoop", "OperatingSystem", "CZeroMQ"]),
    library("CameraProtocol", ["OperatingSystem", "Words", protobuf]),
    library(
      "CameraClient",
      [
        "CameraProtocol", "Digest", "EventLoop", "Keys", "OperatingSystem", "Words", "ZeroMQ",
        collections, protobuf,
      ]),
    // Many nodes as one.
    library(
      "CameraRig",
      [
        "CLinux", "CameraClient", "CameraProtocol", "Discovery", "Keys", "OperatingSystem", "Words",
        "ZeroMQ", collections,
      ]),
    // What programs print for other programs: JSON, and metrics for Prometheus.
    library("Reports", ["CameraClient", "CameraRig", "OperatingSystem"]),
    // What nodes say of themselves on the network, and who listens.
    library(
      "Discovery",
      ["CAvahi", "CLinux", "CameraProtocol", "Digest", "OperatingSystem", "Words", "ZeroMQ"]),
    // The bus for browsers.
    library(
      "CameraWeb",
      [
        "CameraClient", "CameraRig", "Digest", "Keys", "OperatingSystem", "Reports", "Words",
        collections, logging,
      ] + http),
    library("Keys", ["CameraProtocol", "OperatingSystem", "ZeroMQ"]),
    library("Digest", ["OperatingSystem", "COpenSSL"]),
    library("Doctor", ["CLinux", "OperatingSystem", "Words"]),
    library("Imaging", ["OperatingSystem", "CJPEG", "CPixels", "CPNG", "CTurboJPEG"]),
    library("PhotoEncoding", ["CLinux", "Imaging", "OperatingSystem"]),
    library("HEIFEncoding", ["CHEIF", "Imaging", "OperatingSystem", "PhotoEncoding"]),
    library(
      "Capture",
      ["Imaging", "EventLoop", "OperatingSystem", "PhotoEncoding", "CPixels", "Words", collections]),
    library("CaptureV4L2", ["Capture", "EventLoop", "Imaging", "OperatingSystem", "CVideo4Linux"]),
    // Apart, so that a program that only looks at cameras needs no codecs.
    .target(
      name: "V4L2Conversion",
      dependencies: ["CaptureV4L2", "CFFmpeg", "CVideo4Linux", "Imaging"],
      swiftSettings: settings, linkerSettings: [.linkedLibrary("v4lconvert")]),
    library("LocalDevices", ["CameraClient", "Capture", "CaptureV4L2", "Imaging"]),
    library("CaptureSynthetic", ["Capture", "EventLoop", "OperatingSystem", "Words"]),
    library("CaptureALSA", ["CALSA", "Capture", "EventLoop", "OperatingSystem"]),
    library("CaptureFiles", ["Capture", "EventLoop", "Imaging", "OperatingSystem"]),
    library("Recording", ["Capture", "OperatingSystem", "CFFmpeg", "Words"]),
    library(
      "MediaLibrary",
      [
        "Digest", "EventLoop", "OperatingSystem", "Words",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    library(
      "CameraNode",
      [
        "CConnections", "CameraProtocol", "Capture", "CaptureALSA", "CaptureFiles",
        "CaptureSynthetic", "CaptureV4L2", "Digest", "Discovery", "EventLoop", "Imaging", "Keys",
        "MediaLibrary",
        "OperatingSystem", "PhotoEncoding", "Recording", "V4L2Conversion", "Words", "ZeroMQ",
        collections, logging,
        protobuf, "Yams",
      ]),
    .executableTarget(
      name: "camerad",
      dependencies: [
        "CStandardStreams", "CameraNode", "CameraProtocol", "EventLoop", "HEIFEncoding",
        "OperatingSystem", "PhotoEncoding", "Words", argumentParser, logging,
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "camctl",
      dependencies: [
        "CStandardStreams", "CameraClient", "CameraProtocol", "CameraRig", "Discovery", "Doctor",
        "Imaging", "Keys", "LocalDevices", "OperatingSystem", "Reports", "Words", "ZeroMQ",
        argumentParser,
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "camweb",
      dependencies: [
        "CStandardStreams", "CameraClient", "CameraProtocol", "CameraRig", "CameraWeb",
        "OperatingSystem", "Words", argumentParser,
      ],
      swiftSettings: settings),

    // Code shared by tests of several targets; not part of any product.
    .target(
      name: "TestSupport",
      dependencies: ["Capture", "CaptureSynthetic", "EventLoop", "Imaging", "OperatingSystem"],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("OperatingSystem", ["OperatingSystem", "TestSupport"]),
    tests("EventLoop", ["EventLoop", "OperatingSystem", "TestSupport"]),
    tests("Words", ["Words"]),
    tests("ZeroMQ", ["CZeroMQ", "TestSupport", "ZeroMQ"]),
    tests("Keys", ["Keys", "TestSupport", "ZeroMQ"]),
    tests("CameraProtocol", ["CameraProtocol", "TestSupport", protobuf]),
    tests("Imaging", ["CPixels", "Imaging", "OperatingSystem", "TestSupport"]),
    tests(
      "PhotoEncoding",
      ["HEIFEncoding", "Imaging", "OperatingSystem", "PhotoEncoding", "TestSupport"]),
    tests("Capture", ["Capture", "CaptureSynthetic", "TestSupport"], exclude: ["Golden"]),
    tests("CaptureV4L2", ["CaptureV4L2", "TestSupport", "V4L2Conversion"]),
    tests("CaptureSynthetic", ["CaptureSynthetic", "TestSupport"]),
    tests("CaptureALSA", ["Capture", "CaptureALSA", "EventLoop", "TestSupport"]),
    tests("CaptureFiles", ["CaptureFiles", "Capture", "EventLoop", "Imaging", "TestSupport"]),
    tests("Digest", ["Digest"]),
    tests("Discovery", ["CLinux", "Discovery", "TestSupport", "ZeroMQ"]),
    tests("Doctor", ["Doctor", "OperatingSystem", "TestSupport"]),
    tests(
      "Recording",
      [
        "Recording", "Capture", "CaptureSynthetic", "EventLoop", "Imaging", "OperatingSystem",
        "TestSupport", "Words",
      ]),
    tests(
      "MediaLibrary",
      ["MediaLibrary", "TestSupport", "Words", .product(name: "GRDB", package: "GRDB.swift")]),
    tests("CameraClient", ["CameraClient", "TestSupport", protobuf]),
    tests(
      "CameraRig",
      [
        "CameraClient", "CameraNode", "CameraRig", "Discovery", "Keys", "OperatingSystem",
        "TestSupport", "ZeroMQ", logging,
      ]),
    tests(
      "CameraWeb",
      [
        "CameraClient", "CameraNode", "CameraRig", "CameraWeb", "Digest", "OperatingSystem",
        "Reports", "TestSupport", logging,
      ] + http),
    tests(
      "CameraNode",
      [
        "CameraNode", "CameraProtocol", "Capture", "CaptureFiles", "CaptureSynthetic", "Digest",
        "EventLoop", "Imaging", "Keys", "MediaLibrary", "PhotoEncoding", "Recording", "TestSupport",
        "ZeroMQ",
        logging, protobuf,
      ]),
    tests(
      "CommandLine",
      [
        "CameraNode", "CameraClient", "CameraProtocol", "Imaging", "Keys", "OperatingSystem",
        "TestSupport", "ZeroMQ", logging,
      ]),
  ]
    + (fuzzes
      ? [
        .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
          name: "Fuzz",
          dependencies: [
            "CConnections", "CFuzzer", "CameraClient", "CameraNode", "CameraProtocol", "Imaging",
            "Keys", "OperatingSystem", "Recording", "TestSupport", "ZeroMQ", protobuf,
          ],
          path: "Tests/Fuzz/Fuzz",
          swiftSettings: settings),
      ] : [])
    + (benchmarks
      ? [
        .executableTarget(
          name: "bench", dependencies: ["CameraClient", argumentParser], path: "Tests/Bench/bench",
          swiftSettings: commonSettings),
        .executableTarget(
          name: "floor", path: "Tests/Bench/floor",
          cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])],
          linkerSettings: [
            .linkedLibrary("zmq"), .linkedLibrary("turbojpeg"), .linkedLibrary("heif"),
          ]),
        .target(name: "CAllocations", path: "Tests/Bench/CAllocations"),
      ] : [])
)
