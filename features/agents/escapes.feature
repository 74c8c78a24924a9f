Feature: No path leads out of the root
  Helper and tool stand on one core: each way out is refused with one code on both, and not a byte outside is read or
  written.

  Background:
    Given unsafe mode with the write flag
    And outside the root, the file "secret.txt" holds "outside"
    And the file "a.txt" holds "inside"
    And a directory "d"

  Rule: A path is judged as it is written, before the disk is touched

    Scenario Outline: Reading "<path>" is refused with <code>
      When program and tool read "<path>"
      Then both are refused with <code>

      Examples: Up
        | path                    | code           |
        | ..                      | PATH_TRAVERSAL |
        | ../outside/secret.txt   | PATH_TRAVERSAL |
        | d/../a.txt              | PATH_TRAVERSAL |
        | d/..                    | PATH_TRAVERSAL |
        | d\..\a.txt              | PATH_TRAVERSAL |
        | {root}/../a.txt         | PATH_TRAVERSAL |

      Examples: Home
        | path          | code      |
        | ~             | PATH_HOME |
        | ~/secret.txt  | PATH_HOME |
        | ~root/x       | PATH_HOME |

      Examples: Another place
        | path                   | code              |
        | /                      | PATH_OUTSIDE_ROOT |
        | /etc/passwd            | PATH_OUTSIDE_ROOT |
        | {outside}/secret.txt   | PATH_OUTSIDE_ROOT |
        | {root}-evil/secret.txt | PATH_OUTSIDE_ROOT |
        | C:\secret.txt          | PATH_OUTSIDE_ROOT |
        | c:/secret.txt          | PATH_OUTSIDE_ROOT |
        | \\server\share         | PATH_OUTSIDE_ROOT |
        | file:///etc/passwd     | PATH_OUTSIDE_ROOT |
        | FILE:a.txt             | PATH_OUTSIDE_ROOT |

      Examples: No path at all
        | path         | code         |
        |              | PATH_INVALID |
        | a.txt\0.png  | PATH_INVALID |
        | \0           | PATH_INVALID |

    Scenario Outline: Writing to "<path>" is refused with <code>
      When program and tool write "new" to "<path>"
      Then both are refused with <code>
      And nothing on the disk has changed

      Examples:
        | path                   | code              |
        | ../new.txt             | PATH_TRAVERSAL    |
        | d/../new.txt           | PATH_TRAVERSAL    |
        | ~/new.txt              | PATH_HOME         |
        | {outside}/new.txt      | PATH_OUTSIDE_ROOT |
        | {outside}/secret.txt   | PATH_OUTSIDE_ROOT |
        | C:\x.txt               | PATH_OUTSIDE_ROOT |
        | file:new.txt           | PATH_OUTSIDE_ROOT |
        | new\0.txt              | PATH_INVALID      |

    Scenario Outline: "<path>" is an ordinary name
      Given the file "<path>" holds "inside"
      When program and tool read "<path>"
      Then both read "inside"

      Examples:
        | path           |
        | a..b.md        |
        | ...            |
        | ..a            |
        | notes~         |
        | [...slug].ts   |
        | %2e%2e         |
        | with space     |
        | line\\nbreak    |
        | 한글.txt       |

    Scenario Outline: "<path>" spells the root's own file
      When program and tool read "<path>"
      Then both read "inside"

      Examples:
        | path            |
        | a.txt           |
        | ./a.txt         |
        | .//a.txt        |
        | {root}//a.txt   |
        | {root}/a.txt    |

  Rule: Only a string is a path; nothing is converted to one

    Scenario Outline: read_file(<path>) is refused, and no code of it runs
      When a program tries `read_file(<path>)`
      Then it catches a ValueError with the code PATH_INVALID

      Examples:
        | path                                                |
        | { toString() { throw new Error('was called') } }    |
        | { [Symbol.toPrimitive]() { throw new Error('x') } } |
        | ['a.txt']                                           |
        | new String('a.txt')                                 |
        | 1                                                   |
        | null                                                |
        | undefined                                           |
        | 'a\ud83d'                                           |
        | 'x'.repeat(256)                                     |
        | 'x/'.repeat(2048)                                   |

  Rule: A link out of the root is refused, whether its target exists or not

    Scenario Outline: Reading through a link to <target> is refused
      Given a link "l" to "<target>"
      When program and tool read "<path>"
      Then both are refused with PATH_OUTSIDE_ROOT

      Examples:
        | target               | path                    |
        | {outside}/secret.txt | l                       |
        | {outside}/none.txt   | l                       |
        | ../outside/secret.txt | l                      |
        | {outside}            | l/secret.txt            |
        | {outside}            | l/                      |
        | {outside}            | l/.                     |
        | {outside}            | l//secret.txt           |
        | ..                   | l/outside/secret.txt    |
        | /dev/zero            | l                       |
        | /proc/self/environ   | l                       |

    Scenario Outline: Writing through a link to <target> is refused
      Given a link "l" to "<target>"
      When program and tool write "new" to "<path>"
      Then both are refused with PATH_OUTSIDE_ROOT
      And nothing on the disk has changed

      Examples:
        | target               | path       |
        | {outside}/secret.txt | l          |
        | {outside}/new.txt    | l          |
        | {outside}            | l/new.txt  |
        | {outside}            | l/secret.txt |

    Scenario: A chain of links that ends outside is refused
      Given a link "one" to "two"
      And a link "two" to "{outside}/secret.txt"
      When program and tool read "one"
      Then both are refused with PATH_OUTSIDE_ROOT

  Rule: A link that stays inside works

    Scenario Outline: Reading through a link to <target> works
      Given a link "<link>" to "<target>"
      When program and tool read "<link>"
      Then both read "inside"

      Examples:
        | link | target              |
        | l    | a.txt               |
        | d/l  | ../a.txt            |
        | l    | {root}/a.txt        |
        | l    | ../root/a.txt       |

    Scenario: Writing through it writes the target and keeps the link
      Given a link "l" to "a.txt"
      When the program `return write_file("l", "new")` runs
      Then the run completes with `3`
      And the file "a.txt" now holds "new"
      And "l" is still a link

  Rule: A link to nothing and a circle of links are refused as what they are

    Scenario Outline: <code> for a link to <target>
      Given a link "l" to "<target>"
      When program and tool <verb> "l"
      Then both are refused with <code>
      And nothing on the disk has changed

      Examples:
        | target   | verb           | code          |
        | none.txt | read           | LINK_DANGLING |
        | none.txt | write "new" to | LINK_DANGLING |
        | l        | read           | LINK_LOOP     |
        | l        | write "new" to | LINK_LOOP     |

    Scenario: Two links that point at each other are a loop
      Given a link "one" to "two"
      And a link "two" to "one"
      When program and tool read "one"
      Then both are refused with LINK_LOOP

  Rule: Only regular files are opened, and nothing blocks

    Scenario Outline: A <kind> is refused
      Given a <kind> "special"
      When program and tool <verb> "special"
      Then both are refused with NOT_A_REGULAR_FILE
      And nothing on the disk has changed

      Examples:
        | kind   | verb           |
        | FIFO   | read           |
        | FIFO   | write "new" to |
        | socket | read           |
        | socket | write "new" to |

  Rule: The root itself may be reached through a link

    Scenario: Both spellings of the root are its own
      Given the root is reached through a link
      When this program runs:
        """
        return [read_file('a.txt'), read_file('{root}/a.txt'), read_file('{door}/a.txt')];
        """
      Then the run completes with `['inside', 'inside', 'inside']`
