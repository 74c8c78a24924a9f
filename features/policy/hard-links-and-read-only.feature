Feature: A write never changes more than the name it was given
  Replacing a file with several names would split it, and replacing a read-only one would lift its protection.

  Background:
    Given unsafe mode with the write flag
    And the file "a.txt" holds "old"

  Rule: A file with more than one hard link is not written, whatever the mode of writing

    Scenario Outline: Mode "<mode>" is refused, and the count is named
      Given a hard link "b.txt" to "a.txt"
      And a hard link "c.txt" to "a.txt"
      When a program tries `write_file("b.txt", "x", "<mode>")`
      Then it catches a ValueError with the code LINK_COUNT
      And the message says "3 hard links"
      And nothing on the disk has changed

      Examples:
        | mode   |
        | w      |
        | a      |
        | insert |

    Scenario: It can be read under each name
      Given a hard link "b.txt" to "a.txt"
      When the program `return [read_file("a.txt"), read_file("b.txt")]` runs
      Then the run completes with `['old', 'old']`

  Rule: A read-only file is not replaced, although its directory would allow it

    Scenario Outline: Mode "<mode>" is refused
      Given the file "a.txt" may be read only
      When a program tries `write_file("a.txt", "x", "<mode>")`
      Then it catches a ValueError with the code READ_ONLY
      And nothing on the disk has changed

      Examples:
        | mode   |
        | w      |
        | a      |
        | insert |
