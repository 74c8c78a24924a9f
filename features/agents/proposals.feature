Feature: A model proposes, and code decides what lands
  A verdict names edits of single values. All of them are made, or none, and nothing else in a file moves.

  Background:
    Given unsafe mode
    And the file "deploy/a.yaml" holds "# pinned\ntag: 1.2.3 # here\n"
    And the file "deploy/b.toml" holds "tag = \"1.2.3\"\n"
    And the evidence "Release 1.2.4 is out."

  Rule: A set is made whole

    Scenario: Pins move together and comments stay
      When a proposal for "deploy/**" sets:
        | path          | key  | from  | to    |
        | deploy/a.yaml | /tag | 1.2.3 | 1.2.4 |
        | deploy/b.toml | /tag | 1.2.3 | 1.2.4 |
      Then the proposal is applied
      And the file "deploy/a.yaml" now holds "# pinned\ntag: 1.2.4 # here\n"
      And the file "deploy/b.toml" now holds "tag = \"1.2.4\"\n"

    Scenario: One edit expects something else, so no file changes
      When a proposal for "deploy/**" sets:
        | path          | key  | from  | to    |
        | deploy/a.yaml | /tag | 1.2.3 | 1.2.4 |
        | deploy/b.toml | /tag | 1.1.0 | 1.2.4 |
      Then the proposal is rejected with "key \"/tag\" holds \"1.2.3\", not the expected \"1.1.0\"; refusing to overwrite"
      And the file "deploy/a.yaml" now holds "# pinned\ntag: 1.2.3 # here\n"

    Scenario: What is there already is success
      When a proposal for "deploy/**" sets:
        | path          | key  | from  | to    |
        | deploy/a.yaml | /tag | 1.2.2 | 1.2.3 |
      Then the proposal is already done

  Rule: Only what the operator named can change

    Scenario Outline: <path> is refused
      Given the file "<path>" holds "tag: 1.2.3\n"
      When a proposal for "deploy/**" sets:
        | path   | key  | from  | to    |
        | <path> | /tag | 1.2.3 | 1.2.4 |
      Then the proposal is rejected with "<text>"
      And the file "<path>" now holds "tag: 1.2.3\n"

      Examples:
        | path                   | text                             |
        | other.yaml             | path is not in the allowlist     |
        | .github/workflows/ci.yml | path is denied (.github/**)    |
        | deploy/yarn.lock       | path is denied (yarn.lock)       |

    Scenario: A link leads nowhere
      Given a link "deploy/l.yaml" to "a.yaml"
      When a proposal for "deploy/**" sets:
        | path          | key  | from  | to    |
        | deploy/l.yaml | /tag | 1.2.3 | 1.2.4 |
      Then the proposal is rejected with "path goes through a link"

  Rule: Versions come from the evidence

    Scenario: An invented version is refused, and the verdict becomes a person's
      When a proposal for "deploy/**" sets:
        | path          | key  | from  | to    |
        | deploy/a.yaml | /tag | 1.2.3 | 1.3.0 |
      Then the proposal is rejected with "version \"1.3.0\" does not appear in the evidence; refusing an invented version"
      And the verdict is now "escalate"

  Rule: A change is tried a few times only

    Scenario: The third attempt is refused before anything is looked at
      When a proposal for the change "pr-7" is applied 3 times
      Then the last of them is refused with ATTEMPTS_SPENT
