// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// The gate turns warnings into errors; a user who builds the package as a dependency is spared.
let strict = ProcessInfo.processInfo.environment["QUIRE_STRICT"] == "1"

/// Set together with `--sanitize thread`, which does not understand the system's `Mutex` on Linux.
let watched = ProcessInfo.processInfo.environment["QUIRE_TSAN"] == "1"

/// Compiles what systems of Apple before version 26 run, so that tests can run it here.
let older = ProcessInfo.processInfo.environment["QUIRE_OLD_SYSTEM"] == "1"

/// One list for all Swift targets, so that no module is checked less than its neighbour.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : []) + (older ? [.define("OLD_SYSTEM")] : [])

let package = Package(
  name: "Quire",
  platforms: [.iOS(.v18), .macCatalyst(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "Quire", targets: ["Quire"]),
    .library(name: "QuireTesting", targets: ["QuireTesting"]),
    .library(name: "QuireUI", targets: ["QuireUI"]),
    .library(name: "TerminalList", targets: ["TerminalList"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .executable(name: "quire", targets: ["QuireCommand"]),
  ],
  targets: [
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CAllocation"),
    .target(name: "CTerminal"),
    .target(
      name: "Support", swiftSettings: settings + (watched ? [.define("THREAD_SANITIZER")] : [])),
    .target(
      name: "ItemMapping", dependencies: ["CAllocation", "CSimdJSON", "Support"],
      swiftSettings: settings),
    .target(
      name: "ServerAPI", dependencies: ["CCurl", "CSQLite", "Support"], swiftSettings: settings),
    .target(
      name: "ListReading", dependencies: ["ItemMapping", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "ListModel", dependencies: ["ItemMapping", "ListReading", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "ListPresentation", dependencies: ["ListModel", "ListReading", "ServerAPI", "Support"],
      swiftSettings: settings),
    .target(
      name: "TerminalList",
      dependencies: [
        "CTerminal", "ListModel", "ListPresentation", "ListReading", "ServerAPI", "Support",
      ],
      swiftSettings: settings),
    .target(
      name: "URLSessionTransport", dependencies: ["ServerAPI", "Support"], swiftSettings: settings),
    .target(name: "QuireTesting", dependencies: ["ServerAPI", "Support"], swiftSettings: settings),
    .target(
      name: "Quire",
      dependencies: ["ItemMapping", "ListModel", "ListPresentation", "ListReading", "ServerAPI"],
      swiftSettings: settings),
    .target(name: "QuireUI", dependencies: ["Quire"], swiftSettings: settings),
    .executableTarget(
      name: "QuireCommand",
      dependencies: ["CAllocation", "Quire", "QuireTesting", "Support", "TerminalList"],
      swiftSettings: settings),
    // Examples and the samples of the documents see only what a program of a user sees.
    .executableTarget(
      name: "BookShelf", dependencies: ["Quire"], path: "Examples/BookShelf", packageAccess: false),
    .executableTarget(
      name: "EveryBook", dependencies: ["Quire"], path: "Examples/EveryBook", packageAccess: false),
    .executableTarget(
      name: "ManyUsers", dependencies: ["Quire"], path: "Examples/ManyUsers", packageAccess: false),
    .executableTarget(
      name: "SignedIn", dependencies: ["Quire"], path: "Examples/SignedIn", packageAccess: false),
    .target(name: "CStalledResolver", path: "Tests/CStalledResolver"),
    .target(
      name: "TestSupport",
      dependencies: ["ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "Support"],
      path: "Tests/Support",
      swiftSettings: settings),
    .executableTarget(
      name: "CacheProbe", dependencies: ["ItemMapping", "ServerAPI"], path: "Tests/CacheProbe",
      swiftSettings: settings),
    .executableTarget(
      name: "CacheWriter", dependencies: ["ServerAPI", "Support"], path: "Tests/CacheWriter",
      swiftSettings: settings),
    .testTarget(
      name: "SupportTests", dependencies: ["QuireTesting", "Support"], swiftSettings: settings),
    .testTarget(
      name: "ServerAPITests",
      dependencies: [
        "CacheWriter", "CStalledResolver", "QuireTesting", "ServerAPI", "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ItemMappingTests", dependencies: ["ItemMapping", "QuireTesting", "Support"],
      swiftSettings: settings),
    .testTarget(
      name: "ListReadingTests",
      dependencies: [
        "ItemMapping", "ListReading", "QuireTesting", "ServerAPI", "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ListModelTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "Support", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GeneralityTests",
      dependencies: ["ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ListPresentationTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListPresentation", "ListReading", "QuireTesting", "ServerAPI",
        "Support",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalListTests",
      dependencies: [
        "ItemMapping", "ListModel", "ListPresentation", "ListReading", "QuireCommand", "QuireTesting",
        "ServerAPI", "TerminalList",
      ], swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests", dependencies: ["ItemMapping", "ServerAPI"],
      swiftSettings: settings),
    .testTarget(
      name: "QuireTestingTests",
      dependencies: ["QuireTesting", "ServerAPI", "Support", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "CacheProbe", "ItemMapping", "ListModel", "ListReading", "QuireTesting", "ServerAPI", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "URLSessionTransportTests",
      dependencies: ["QuireTesting", "ServerAPI", "TestSupport", "URLSessionTransport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuireCommandTests",
      dependencies: [
        "BookShelf", "EveryBook", "ManyUsers", "Quire", "QuireCommand", "QuireTesting", "SignedIn",
        "Support",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BookShelfTests", dependencies: ["BookShelf", "Quire", "QuireTesting"],
      path: "Examples/BookShelfTests", packageAccess: false),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Quire", "QuireTesting"], packageAccess: false,
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

/// With `QUIRE_TARGETS` only the targets with these names are built, and what they depend on: scripts that
/// build in a way of their own need a few of them.
if let names = ProcessInfo.processInfo.environment["QUIRE_TARGETS"] {
  var kept = Set(names.split(separator: " ").map(String.init))
  var open = Array(kept)
  while let name = open.popLast() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      guard case .byNameItem(let name, _) = dependency, kept.insert(name).inserted else { continue }
      open.append(name)
    }
  }
  package.products = []
  package.targets.removeAll { !kept.contains($0.name) }
}
