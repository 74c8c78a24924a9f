Feature: write_file replaces, appends or inserts, and returns how many characters it wrote
  Content lands exactly as given. A program learns from the returned number what it wrote, in code points.

  Background:
    Given unsafe mode with the write flag

  Rule: "w", the default, replaces the whole file or creates it

    Scenario Outline: write_file(path, content<mode>) replaces what was there
      Given the file "a.txt" holds "a long old text"
      When the program `return write_file("a.txt", "new"<mode>)` runs
      Then the run completes with `3`
      And the file "a.txt" now holds "new"

      Examples:
        | mode            |
        |                 |
        | , "w"           |
        | , null          |
        | , { mode: "w" } |
        | , {}            |

    Scenario: A new file is created
      When the program `return write_file("new.txt", "text")` runs
      Then the run completes with `4`
      And the file "new.txt" now holds "text"

    Scenario: Empty content leaves an empty file
      Given the file "a.txt" holds "old"
      When the program `return write_file("a.txt", "")` runs
      Then the run completes with `0`
      And the file "a.txt" now holds ""

  Rule: "a" appends exactly the content, and nothing before it

    Scenario Outline: Appending to a file that holds "<old>" gives "<new>"
      Given the file "log.txt" holds "<old>"
      When the program `return write_file("log.txt", "b\n", "a")` runs
      Then the run completes with `2`
      And the file "log.txt" now holds "<new>"

      Examples:
        | old  | new     |
        |      | b\\n     |
        | a    | ab\\n    |
        | a\\n  | a\\nb\\n  |

    Scenario: Appending creates a file that is not there
      When the program `return write_file("log.txt", "b", { mode: "a" })` runs
      Then the run completes with `1`
      And the file "log.txt" now holds "b"

    Scenario: Appends of runs at the same time all land
      Given the file "log.txt" holds ""
      When this program runs 8 times at once:
        """
        for (let i = 0; i < 5; i++) write_file('log.txt', 'line\n', 'a');
        return read_file('log.txt').length % 5;
        """
      Then all runs complete with `0`
      And the file "log.txt" now holds 40 lines

  Rule: "insert" puts the content before a code point

    Scenario Outline: Inserting at <offset> gives "<text>"
      Given the file "a.txt" holds "👍b"
      When the program `return write_file("a.txt", "XY", "insert", <offset>)` runs
      Then the run completes with `2`
      And the file "a.txt" now holds "<text>"

      Examples:
        | offset | text  |
        | 0      | XY👍b |
        | 1      | 👍XYb |
        | 2      | 👍bXY |

    Scenario: Without an offset it inserts at the start
      Given the file "a.txt" holds "b"
      When the program `return write_file("a.txt", "a", { mode: "insert" })` runs
      Then the run completes with `1`
      And the file "a.txt" now holds "ab"

    Scenario: Past the end it refuses
      Given the file "a.txt" holds "ab"
      When a program tries `write_file("a.txt", "X", "insert", 3)`
      Then it catches a ValueError with the code OFFSET_PAST_END
      And nothing on the disk has changed

    Scenario: Into a file that is not there it refuses
      When a program tries `write_file("none.txt", "X", "insert", 0)`
      Then it catches an Error with the code NOT_FOUND
      And nothing on the disk has changed

    Scenario: Into a file that is not UTF-8 it refuses
      Given the file "latin.txt" holds the bytes "61 ff"
      When a program tries `write_file("latin.txt", "X", "insert", 0)`
      Then it catches a ValueError with the code NOT_UTF8
      And nothing on the disk has changed

  Rule: The returned number counts code points

    Scenario Outline: <content> counts as <count>
      When the program `return write_file("a.txt", <content>)` runs
      Then the run completes with `<count>`

      Examples:
        | content       | count |
        | 'a'           | 1     |
        | '👍a'         | 2     |
        | 'e\u0301'     | 2     |
        | '\ufeff\r\\n'  | 3     |
        | 'a\0b'        | 3     |

  Rule: Arguments that make no sense are refused, and nothing is written

    Scenario Outline: write_file("a.txt", <arguments>) is refused
      Given the file "a.txt" holds "old"
      When a program tries `write_file("a.txt", <arguments>)`
      Then it catches a ValueError with the code <code>
      And nothing on the disk has changed

      Examples:
        | arguments                        | code                    |
        | 1                                | ARGUMENT_INVALID        |
        | null                             | ARGUMENT_INVALID        |
        | undefined                        | ARGUMENT_INVALID        |
        | new Uint8Array(2)                | ARGUMENT_INVALID        |
        | { toString() { return 'x' } }    | ARGUMENT_INVALID        |
        | 'x', 'x+'                        | ARGUMENT_INVALID        |
        | 'x', 'W'                         | ARGUMENT_INVALID        |
        | 'x', 'w', 1                      | ARGUMENT_INVALID        |
        | 'x', 'a', 0                      | ARGUMENT_INVALID        |
        | 'x', 'insert', -1                | ARGUMENT_INVALID        |
        | 'x', 'insert', 0.5               | ARGUMENT_INVALID        |
        | 'x', { mod: 'a' }                | ARGUMENT_INVALID        |
        | 'x', { expect: 'sha256:0' }      | ARGUMENT_INVALID        |
        | 'a\ud83d'                        | CONTENT_NOT_WELL_FORMED |

  Rule: Directories are never created

    Scenario: A missing parent is refused, and no directory appears
      When a program tries `write_file("no/such.txt", "x")`
      Then it catches an Error with the code PARENT_NOT_FOUND
      And nothing on the disk has changed

    Scenario: With the parent there, the same call writes
      Given a directory "no"
      When the program `return write_file("no/such.txt", "x")` runs
      Then the run completes with `1`
      And no temporary file is left
