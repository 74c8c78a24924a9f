Feature: A run never writes what decides about the next run
  The policy file that would be looked up, the state directory and the paths that the operator protects are not written,
  existing or not. Reading them is allowed.

  Rule: The operator's protected paths are closed to helper and tool

    Background:
      Given unsafe mode with the write flag
      And the file "rules/main.yaml" holds "rules"

    Scenario Outline: Writing "<path>" is refused while "<protected>" is protected
      Given the protected path "<protected>"
      When program and tool write "new" to "<path>"
      Then both are refused with PATH_PROTECTED
      And nothing on the disk has changed

      Examples:
        | protected       | path             |
        | rules/main.yaml | rules/main.yaml  |
        | rules/main.yaml | ./rules//main.yaml |
        | rules           | rules/main.yaml  |
        | rules           | rules/new.yaml   |
        | rules/new.yaml  | rules/new.yaml   |
        | new.yaml        | new.yaml         |
        | new.yaml        | NEW.YAML         |

    Scenario: A link to a protected file is closed as well
      Given the protected path "rules/main.yaml"
      And a link "l" to "rules/main.yaml"
      When program and tool write "new" to "l"
      Then both are refused with PATH_PROTECTED
      And nothing on the disk has changed

    Scenario: A neighbour of a protected file can be written
      Given the protected path "rules/main.yaml"
      When program and tool write "new" to "rules/other.yaml"
      Then both succeed

    Scenario: A protected file can be read
      Given the protected path "rules/main.yaml"
      When program and tool read "rules/main.yaml"
      Then both read "rules"

    Scenario: What a model sees of it
      Given the protected path "rules/main.yaml"
      When the tool file_write is called with `{ path: 'rules/main.yaml', content: '' }`
      Then the tool is refused with PATH_PROTECTED
      And the model sees a text with "protectedPaths of the runtime's options covers it"

  Rule: The policy file of the next run cannot be planted

    Scenario Outline: <name> is closed where it would be looked up
      Given unsafe mode with the write flag
      And the root is the current directory
      When program and tool write "porthole: 1" to "<name>"
      Then both are refused with PATH_PROTECTED
      And nothing on the disk has changed

      Examples:
        | name                 |
        | porthole.policy.yaml |
        | porthole.policy.yml  |
        | porthole.policy.json |

    Scenario: Elsewhere the same name is an ordinary file
      Given unsafe mode with the write flag
      When program and tool write "porthole: 1" to "porthole.policy.yaml"
      Then both succeed

    Scenario: The state directory is closed
      Given unsafe mode with the write flag
      And the state directory is "state/porthole" in the root
      And a directory "state/porthole"
      When program and tool write "x" to "state/porthole/grants.json"
      Then both are refused with PATH_PROTECTED
      And nothing on the disk has changed
