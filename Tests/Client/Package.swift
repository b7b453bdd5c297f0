// swift-tools-version: 6.2

import PackageDescription

// A program that uses Quire without any library of the system: `make test-minimal` builds it where their headers are
// hidden, and runs it. `EveryBook` is a link to the example.
let package = Package(
  name: "Client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Quire", path: "../..", traits: [])],
  targets: [
    .executableTarget(name: "Reader", dependencies: [.product(name: "Quire", package: "Quire")]),
    .executableTarget(name: "EveryBook", dependencies: [.product(name: "Quire", package: "Quire")]),
    .executableTarget(
      name: "BookServer", dependencies: [.product(name: "QuireTesting", package: "Quire")]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
