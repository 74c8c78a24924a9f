Feature: What is written is exactly what was asked for
  A test can compare files byte by byte: nothing is added, converted or left behind.

  Background:
    Given unsafe mode with the write flag

  Rule: Content lands as its UTF-8 bytes

    Scenario Outline: <content> becomes <bytes>
      When the program `write_file("f", <content>)` runs
      Then the run completes
      And the file "f" now holds the bytes "<bytes>"
      And no temporary file is left

      Examples:
        | content           | bytes                 |
        | 'a\\nb'            | 61 0a 62              |
        | 'a\r\\n'           | 61 0d 0a              |
        | 'a \t \\n\\n'       | 61 20 09 20 0a 0a     |
        | '\ufeffa'         | ef bb bf 61           |
        | 'a\0b'            | 61 00 62              |
        | '👍'              | f0 9f 91 8d           |
        | 'e\u0301'         | 65 cc 81              |
        | '\u2028'          | e2 80 a8              |
        | ''                |                       |

  Rule: The tool writes the same bytes

    Scenario Outline: file_write of <content> becomes <bytes>
      When the tool file_write is called with `{ path: 'f', content: <content> }`
      Then the file "f" now holds the bytes "<bytes>"

      Examples:
        | content           | bytes                 |
        | 'a\r\\n'           | 61 0d 0a              |
        | '\ufeffa\0'       | ef bb bf 61 00        |
        | '👍'              | f0 9f 91 8d           |

  Rule: A file keeps what it is when its content changes

    Scenario Outline: Mode bits <mode> survive a write with "<write>"
      Given the file "run.sh" holds "old"
      And the file "run.sh" has the mode <mode>
      When the program `write_file("run.sh", "new", "<write>")` runs
      Then the run completes
      And the file "run.sh" still has the mode <mode>

      Examples:
        | mode | write  |
        | 750  | w      |
        | 600  | a      |
        | 644  | insert |

    Scenario: Writing the same content again leaves the same bytes
      Given the file "f" holds "same\n"
      When the program `write_file("f", "same\n")` runs
      Then the file "f" now holds "same\n"

  Rule: A refused write changes no byte, no inode and no mode

    Scenario Outline: <call> leaves everything as it was
      Given the file "f" holds "old"
      And a directory "d"
      When a program tries `<call>`
      Then nothing on the disk has changed

      Examples:
        | call                               |
        | write_file("d", "x")               |
        | write_file("f/", "x")              |
        | write_file("f", "\ud800")          |
        | write_file("f", "x", "insert", 9)  |
        | write_file("none/f", "x")          |
