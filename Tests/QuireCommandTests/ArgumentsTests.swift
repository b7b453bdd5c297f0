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

  @Test func `values stand behind a blank or an equals sign, in any order`() throws {
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
    (["u", "--itms", "x"], "there is no option --itms; did you mean --items?"),
    (["u", "--form=json"], "there is no option --form; did you mean --format?"),
    (["u", "--nothing"], "there is no option --nothing"),
    (["u", "-q"], "there is no option -q; options have two dashes"),
    (["u", "-quiet"], "there is no option -quiet; options have two dashes, as --quiet"),
    (["u", "--size"], "--size needs a value: --size N"),
    (
      ["u", "--size", "--quiet"],
      "--size needs a value: --size N; one that begins with dashes is written --size=--quiet"
    ),
    (["u", "--quiet=yes"], "--quiet takes no value, found “yes”"),
    (["u", "--size=1", "--size=2"], "--size stands there twice: “1” and “2”"),
    (["u", "--format", "cvs"], "--format is one of json, csv, found “cvs”; did you mean csv?"),
    ([], "URL is missing: quire try URL"),
    (["u", "bsh"], "SHELL is one of bash, zsh, found “bsh”; did you mean bash?"),
    (["u", "zsh", "x"], "“x” is one too many; addresses with & or ? stand in quotes"),
  ])
  func `what can't be meant is told with what could`(_ words: [String], _ text: String) {
    #expect(refusal(words) == text)
  }

  @Test(arguments: [
    ("0", false), ("-1", false), ("1", true), ("1x", false), ("", false),
    ("99999999999999999999", false),
  ])
  func `a number is whole and large enough`(_ text: String, _ isGood: Bool) throws {
    let arguments = try read("u", "--size=\(text)")
    let number = try? arguments.number("size", atLeast: 1)
    #expect((number != nil) == isGood)
  }

  @Test(arguments: [
    ("2", Duration.seconds(2)), ("0.5", .milliseconds(500)), ("3s", .seconds(3)), ("0", nil),
    ("-1", nil), ("inf", nil), ("nan", nil), ("x", nil),
  ])
  func `a time is a number of seconds`(_ text: String, _ duration: Duration?) throws {
    let arguments = try read("u", "--wait=\(text)")
    #expect((try? arguments.seconds("wait")) == duration)
  }

  @Test func `help is wanted wherever the word stands, but not behind two dashes`() throws {
    #expect(try read("--help", "--unknown").wantsHelp)
    #expect(try read("-h").wantsHelp)
    #expect(try !read("--", "--help").wantsHelp)
  }

  @Test func `help names every option and stays within 80 columns`() {
    for command in Commands.all {
      for option in command.options { #expect(command.helpText.contains("--\(option.name)")) }
      for line in command.helpText.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }
}
