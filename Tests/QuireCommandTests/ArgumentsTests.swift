import Testing

@testable import QuireCommand

@Suite struct ArgumentsTests {
  private static let command = CommandSpec(
    name: "try", summary: "tries",
    operands: [
      OperandSpec(name: "URL", help: "where"),
      OperandSpec(name: "SHELL", help: "which", choices: ["bash", "zsh"], isOptional: true),
    ],
    groups: [
      OptionGroup(
        title: "all",
        options: [
          OptionSpec("items", "PATH", "a path"), OptionSpec("size", "N", "a number"),
          OptionSpec("wait", "SECONDS", "a time"), OptionSpec("quiet", nil, "a flag"),
          OptionSpec("header", "TEXT", "many", repeats: true),
          OptionSpec("format", nil, "one of", choices: ["json", "csv"]),
        ])
    ])

  private func read(_ words: String...) throws(UsageError) -> Arguments {
    try Arguments(words, for: Self.command)
  }

  private func refusal(_ words: [String]) -> String? {
    do throws(UsageError) {
      _ = try Arguments(words, for: Self.command)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `values follow a blank or an equals sign, in any order`() throws {
    let arguments = try read("--items", "a.b", "http://x", "--size=3", "--quiet", "bash")
    #expect(arguments.operands == ["http://x", "bash"])
    #expect(arguments["items"] == "a.b")
    #expect(try arguments.number("size") == 3)
    #expect(arguments.has("quiet") && !arguments.has("format"))
    #expect(try read("u", "--items=a=b")["items"] == "a=b")
    #expect(try read("u", "--items=--x")["items"] == "--x")
    #expect(try read("--", "--items").operands == ["--items"])
    #expect(try read("u", "--header", "a", "--header", "b").all("header") == ["a", "b"])
    #expect(try read("u", "--items", "-1")["items"] == "-1")
  }

  @Test(arguments: [
    (["u", "--itms", "x"], "unknown option --itms; did you mean --items?"),
    (["u", "--form=json"], "unknown option --form; did you mean --format?"),
    (["u", "--nothing"], "unknown option --nothing"),
    (["u", "-q"], "unknown option -q; options begin with two dashes"),
    (["u", "-quiet"], "unknown option -quiet; options begin with two dashes, as in --quiet"),
    (["u", "--size"], "--size needs a value: --size N"),
    (
      ["u", "--size", "--quiet"],
      "--size needs a value: --size N; write a value that begins with dashes as --size=--quiet"
    ),
    (["u", "--quiet=yes"], "--quiet takes no value, found “yes”"),
    (["u", "--size=1", "--size=2"], "--size was given twice: “1” and “2”"),
    (
      ["u", "--format", "cvs"],
      "--format must be one of json, csv, found “cvs”; did you mean csv?"
    ),
    ([], "URL is missing: quire try URL"),
    (["u", "bsh"], "SHELL must be one of bash, zsh, found “bsh”; did you mean bash?"),
    (["u", "zsh", "x"], "unexpected argument “x”; quote addresses that contain & or ?"),
  ])
  func `an invalid argument fails with a suggestion`(_ words: [String], _ text: String) {
    #expect(refusal(words) == text)
  }

  @Test(arguments: [
    ("0", false), ("-1", false), ("1", true), ("1x", false), ("", false),
    ("99999999999999999999", false),
  ])
  func `a number must be whole and at least the minimum`(_ text: String, _ isValid: Bool) throws {
    let arguments = try read("u", "--size=\(text)")
    let number = try? arguments.number("size", atLeast: 1)
    #expect((number != nil) == isValid)
  }

  @Test(arguments: [
    ("2", Duration.seconds(2)), ("0.5", .milliseconds(500)), ("3s", .seconds(3)), ("15m", .seconds(900)),
    ("0.5h", .seconds(1_800)), ("0", nil), ("m", nil), ("1d", nil),
    ("-1", nil), ("inf", nil), ("nan", nil), ("x", nil),
  ])
  func `a time is a number of seconds above 0`(_ text: String, _ duration: Duration?) throws {
    let arguments = try read("u", "--wait=\(text)")
    #expect((try? arguments.seconds("wait")) == duration)
  }

  @Test func `--help counts anywhere before --`() throws {
    #expect(try read("--help", "--unknown").wantsHelp)
    #expect(try read("-h").wantsHelp)
    #expect(try !read("--", "--help").wantsHelp)
  }

  @Test func `help lists every option and fits into 80 columns`() {
    for command in Commands.all {
      for option in command.options { #expect(command.helpText.contains("--\(option.name)")) }
      for line in command.helpText.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }
}
