Feature: An operator can look up what is allowed before anything runs
  `porthole describe` prints what the code is made of: tools, helpers by mode, limits and error codes.

  Rule: The helpers are listed by mode

    Scenario: Safe mode has none, staged mode four, unsafe mode exactly two
      When an operator calls `porthole describe helpers`
      Then it prints "safe    none\n"
      And it prints "staged  list_files(path"
      And it prints "staged  remove_file(path)"
      And it prints "unsafe  write_file(path"
      And it prints no "unsafe  list_files"
      And it prints no "unsafe  remove_file"
      And the exit code is 0

  Rule: Each tool is listed with whether it changes files

    Scenario Outline: <tool> is described
      When an operator calls `porthole describe tools`
      Then it prints "<tool>"

      Examples:
        | tool       |
        | file_read  |
        | file_write |
        | edit_file  |

  Rule: Every limit has its default, every code what to do next

    Scenario: Limits
      When an operator calls `porthole describe limits`
      Then it prints every limit

    Scenario: Error codes
      When an operator calls `porthole describe codes`
      Then it prints every error code

  Rule: The same is there for programs and for documents

    Scenario: As one JSON value
      When an operator calls `porthole describe --json`
      Then it prints JSON with the fields `['tools', 'helpers', 'rules', 'limits', 'codes']`

    Scenario: As Markdown
      When an operator calls `porthole describe limits --markdown`
      Then it prints "| --- |"

  Rule: What cannot be described is refused with the nearest that can

    Scenario: A section that does not exist
      When an operator calls `porthole describe limit`
      Then the exit code is 2
      And it complains with "limits"
