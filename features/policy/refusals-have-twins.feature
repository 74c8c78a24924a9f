Feature: Every refusal has a twin that succeeds
  With the one thing changed that the refusal names, the same call works on helper and tool. So each rule is seen to
  refuse for its own reason.

  Background:
    Given unsafe mode with the write flag
    And the file "d/a.txt" holds "text"
    And outside the root, the file "secret.txt" holds "outside"

  Rule: Paths

    Scenario Outline: Reading "<refused>" is <code>, reading "<twin>" works
      Given a link "out" to "{outside}/secret.txt"
      And a link "in" to "d/a.txt"
      And a link "gone" to "d/none.txt"
      When program and tool read "<refused>"
      Then both are refused with <code>
      When program and tool read "<twin>"
      Then both read "text"

      Examples:
        | refused              | code              | twin           |
        | d/../d/a.txt         | PATH_TRAVERSAL    | d/./a.txt      |
        | ~/d/a.txt            | PATH_HOME         | ./d/a.txt      |
        | {outside}/secret.txt | PATH_OUTSIDE_ROOT | {root}/d/a.txt |
        | {root}x/d/a.txt      | PATH_OUTSIDE_ROOT | {root}/d/a.txt |
        | d/a.txt\0            | PATH_INVALID      | d/a.txt        |
        | out                  | PATH_OUTSIDE_ROOT | in             |
        | gone                 | LINK_DANGLING     | in             |
        | d                    | IS_A_DIRECTORY    | d/a.txt        |
        | d/a.txt/             | NOT_A_DIRECTORY   | d/a.txt        |
        | d/b.txt              | NOT_FOUND         | d/a.txt        |
        | d/A.txt              | NOT_FOUND         | d/a.txt        |

  Rule: Kinds of files

    Scenario: A FIFO is refused, a file in its place is read
      Given a FIFO "pipe"
      When program and tool read "pipe"
      Then both are refused with NOT_A_REGULAR_FILE
      When program and tool read "d/a.txt"
      Then both read "text"

    Scenario: Bytes that are no text are refused, the text around them is read
      Given the file "latin" holds the bytes "74 65 78 74 ff"
      And the file "utf8" holds the bytes "74 65 78 74"
      When program and tool read "latin"
      Then both are refused with NOT_UTF8
      When program and tool read "utf8"
      Then both read "text"

    Scenario: A file over 16 MiB is refused as a whole, and read in windows
      Given the file "big" holds 16777217 bytes
      When program and tool read "big"
      Then both are refused with FILE_TOO_LARGE
      When the program `return read_file("big", 3, 16777214)` runs
      Then the run completes with `'xxx'`

    Scenario: A file of exactly 16 MiB is read as a whole
      Given the file "big" holds 16777216 bytes
      When the program `return read_file("big").length` runs
      Then the run completes with `16777216`

  Rule: Writing

    Scenario: A read-only file is refused, and written with its write bit
      Given the file "d/a.txt" may be read only
      When program and tool write "new" to "d/a.txt"
      Then both are refused with READ_ONLY
      And nothing on the disk has changed
      Given the file "d/a.txt" may be written
      When program and tool write "new" to "d/a.txt"
      Then both succeed

    Scenario: A file with two hard links is refused in every mode, and written with one
      Given a hard link "twin" to "d/a.txt"
      When program and tool write "new" to "twin"
      Then both are refused with LINK_COUNT
      And nothing on the disk has changed
      Given the file "d/a.txt" is removed
      When program and tool write "new" to "twin"
      Then both succeed

    Scenario: A missing directory is refused, and written to once it is there
      When program and tool write "new" to "e/b.txt"
      Then both are refused with PARENT_NOT_FOUND
      And nothing on the disk has changed
      Given a directory "e"
      When program and tool write "new" to "e/b.txt"
      Then both succeed

    Scenario: A file that changed since it was read is refused, and written with its new digest
      When the tool file_write is called with `{ path: 'd/a.txt', content: 'new', expect: 'sha256:' + '0'.repeat(64) }`
      Then the tool is refused with CHANGED_SINCE_READ
      And nothing on the disk has changed
      When the tool file_write is called with the digest of "d/a.txt" and `{ path: 'd/a.txt', content: 'new' }`
      Then the file "d/a.txt" now holds "new"

    Scenario: The digest of a file that is gone is refused
      When the tool file_write is called with `{ path: 'gone.txt', content: 'new', expect: 'sha256:' + '0'.repeat(64) }`
      Then the tool is refused with CHANGED_SINCE_READ
      And nothing on the disk has changed
