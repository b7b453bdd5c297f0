/// Completion scripts for shells.
enum Completions {
  static let shells = ["bash", "zsh", "fish"]

  static func script(for shell: String, _ commands: [CommandSpec]) -> String {
    switch shell {
    case "bash": bash(commands)
    case "zsh": zsh(commands)
    default: fish(commands)
    }
  }

  /// Works in bash 3 too, the version of macOS. There `=` and `@` split words, and file names can contain
  /// blanks.
  private static func bash(_ commands: [CommandSpec]) -> String {
    let names = commands.map(\.name).joined(separator: " ")
    var text = """
      # bash completion of quire: source this file, or put it into your completions folder.
      _quire_reply() {
        local reply
        COMPREPLY=()
        while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen "$@")
      }
      _quire_files() {
        compopt -o filenames 2>/dev/null
        _quire_reply "$@"
      }
      _quire() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=
        COMPREPLY=()
        if [ "$word" = "=" ]; then
          word=
        elif [ "$before" = "=" ]; then
          before=${COMP_WORDS[COMP_CWORD-2]}
        elif [ "$before" = "@" ]; then
          word=@$word before=${COMP_WORDS[COMP_CWORD-2]}
        fi
        if [ "$COMP_CWORD" -eq 1 ]; then
          _quire_reply -W "\(names) --help" -- "$word"
          return
        fi
        case "${COMP_WORDS[1]} $before" in

      """
    for command in commands {
      for option in command.options where option.takesValue {
        let reply =
          switch (option.choices.isEmpty, option.completion) {
          case (false, _):
            "_quire_reply -W \"\(option.choices.joined(separator: " "))\" -- \"$word\""
          case (_, .file): "_quire_files -f -- \"$word\""
          case (_, .folder): "_quire_files -d -- \"$word\""
          case (_, .fileAfterAt):
            "[ \"${word#@}\" = \"$word\" ] || _quire_files -P @ -f -- \"${word#@}\""
          case (_, .nothing): ":"
          }
        text += "    \"\(command.name) --\(option.name)\") \(reply); return ;;\n"
      }
    }
    text += """
        esac
        case ${COMP_WORDS[1]} in

      """
    for command in commands {
      let words =
        command.options.map { "--\($0.name)" } + command.operands.flatMap(\.choices)
      text += "    \(command.name)) options=\"\(words.joined(separator: " "))\" ;;\n"
    }
    return text + """
        esac
        _quire_reply -W "$options" -- "$word"
      }
      complete -F _quire quire

      """
  }

  private static func zsh(_ commands: [CommandSpec]) -> String {
    var text = "#compdef quire\n\n_quire() {\n  local -a commands\n  commands=(\n"
    for command in commands {
      text += "    '\(command.name):\(quoted(command.summary))'\n"
    }
    text += """
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        case $words[2] in

      """
    for command in commands {
      text += "    \(command.name))\n      shift words; (( CURRENT-- ))\n      _arguments -S"
      for option in command.options { text += " \\\n        \(zshOption(option))" }
      for operand in command.operands {
        let choices = operand.choices.joined(separator: " ")
        text += " \\\n        ':\(operand.name):\(choices.isEmpty ? "" : "(\(choices))")'"
      }
      text += " ;;\n"
    }
    return text + "  esac\n}\n\n_quire \"$@\"\n"
  }

  private static func zshOption(_ option: OptionSpec) -> String {
    let help = quoted(option.help).replacing("[", with: "\\[").replacing("]", with: "\\]")
    let star = option.repeats ? "*" : ""
    guard let value = option.value else { return "'\(star)--\(option.name)[\(help)]'" }
    let action =
      switch (option.choices.isEmpty, option.completion) {
      case (false, _): "(\(option.choices.joined(separator: " ")))"
      case (_, .file): "_files"
      case (_, .folder): "_files -/"
      case (_, .fileAfterAt): "{ compset -P @ && _files }"
      case (_, .nothing): ""
      }
    let name = option.choices.isEmpty ? quoted(value).replacing(":", with: "\\:") : option.name
    return "'\(star)--\(option.name)=[\(help)]:\(name):\(action)'"
  }

  private static func fish(_ commands: [CommandSpec]) -> String {
    var text = "# fish completion of quire\ncomplete -c quire -f\n"
    for command in commands {
      text += "complete -c quire -n __fish_use_subcommand -a \(command.name)"
      text += " -d '\(fishQuoted(command.summary))'\n"
    }
    for command in commands {
      let when = "complete -c quire -n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.options {
        var line = "\(when) -l \(option.name)"
        if option.takesValue {
          switch option.completion {
          case .nothing: line += " -x"
          case .file: line += " -r -F"
          case .folder: line += " -x -a '(__fish_complete_directories)'"
          case .fileAfterAt:
            line +=
              " -x -a '(__fish_complete_path (commandline -ct | string replace @ \"\")"
              + " | string replace -r \"^\" @)'"
          }
        }
        if !option.choices.isEmpty { line += " -a '\(option.choices.joined(separator: " "))'" }
        text += line + " -d '\(fishQuoted(option.help))'\n"
      }
      for operand in command.operands where !operand.choices.isEmpty {
        text += "\(when) -a '\(operand.choices.joined(separator: " "))'\n"
      }
    }
    return text
  }

  private static func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }

  private static func fishQuoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
