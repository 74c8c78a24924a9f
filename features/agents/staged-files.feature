Feature: In a staged run a program has files of its own
  It lists, reads, writes and removes what the operator copied in, under the same rules for paths as on the disk. No byte
  of the host changes while it runs, and nothing but what was copied can be seen.

  Background:
    Given the root is the current directory
    And the file "src/a.txt" holds "one\n"
    And the file "src/lib/b.txt" holds "two\n"
    And a writable copy of "src"

  Rule: Four helpers act on the tree

    Scenario: Files are listed by their place in the tree, sorted
      When the program `write_file('z.txt', ''); write_file('B.txt', ''); return list_files()` runs
      Then the run completes with `['B.txt', 'src/a.txt', 'src/lib/b.txt', 'z.txt']`

    Scenario Outline: `<call>` gives <paths>
      When the program `return <call>` runs
      Then the run completes with `<paths>`

      Examples:
        | call                                      | paths                          |
        | list_files('src')                         | ['src/a.txt', 'src/lib/b.txt'] |
        | list_files('/')                           | ['src/a.txt', 'src/lib/b.txt'] |
        | list_files('src', { recursive: false })   | ['src/a.txt']                  |
        | list_files('.', { recursive: false })     | []                             |
        | list_files('src/a.txt')                   | ['src/a.txt']                  |

    Scenario: A leading slash is the top of the tree
      When the program `write_file('/src/a.txt', 'new'); return [read_file('src/a.txt'), read_file('/src/lib/b.txt')]` runs
      Then the run completes with `['new', 'two\n']`
      And the changes are `['modify src/a.txt']`

    Scenario: A write needs no second gate and makes the directories it needs
      When the program `write_file('x/y/z.txt', '👍'); return [read_file('x/y/z.txt'), list_files('x')]` runs
      Then the run completes with `['👍', ['x/y/z.txt']]`
      And the changes are `['create x/y/z.txt']`

    Scenario Outline: The write mode "<mode>" leaves <text>
      When the program `write_file('src/a.txt', '<content>', '<mode>'); return read_file('src/a.txt')` runs
      Then the run completes with `<text>`

      Examples:
        | mode   | content | text         |
        | w      | new     | 'new'        |
        | a      | more    | 'one\\nmore' |
        | insert | X       | 'Xone\\n'    |

    Scenario: Windows are read as on the disk
      When the program `return [read_file('src/a.txt', 2), read_file('src/a.txt', { offset: 2 })]` runs
      Then the run completes with `['on', 'e\n']`

    Scenario: A removed file is gone for the program, and shows as deleted
      When the program `remove_file('src/a.txt'); return list_files()` runs
      Then the run completes with `['src/lib/b.txt']`
      And the changes are `['delete src/a.txt']`

    Scenario: The helpers are named as what they are
      When the program `return [list_files, read_file, remove_file, write_file].map((helper) => helper.name)` runs
      Then the run completes with `['list_files', 'read_file', 'remove_file', 'write_file']`

  Rule: Refusals are those of the disk

    Scenario Outline: `<call>` is refused with <code>
      When a program tries `<call>`
      Then it catches a <name> with the code <code>
      And the changes are `[]`

      Examples:
        | call                                     | name       | code             |
        | read_file('../src/a.txt')                | ValueError | PATH_TRAVERSAL   |
        | write_file('src/../a.txt', '')           | ValueError | PATH_TRAVERSAL   |
        | remove_file('..')                        | ValueError | PATH_TRAVERSAL   |
        | list_files('src/..')                     | ValueError | PATH_TRAVERSAL   |
        | read_file('~/a.txt')                     | ValueError | PATH_HOME        |
        | write_file('a\u0000b', '')               | ValueError | PATH_INVALID     |
        | read_file('')                            | ValueError | PATH_INVALID     |
        | remove_file(7)                           | ValueError | PATH_INVALID     |
        | list_files('.', { recursive: 'yes' })    | ValueError | ARGUMENT_INVALID |
        | list_files('.', { deep: true })          | ValueError | ARGUMENT_INVALID |
        | read_file('none.txt')                    | Error      | NOT_FOUND        |
        | remove_file('none.txt')                  | Error      | NOT_FOUND        |
        | list_files('none')                       | Error      | NOT_FOUND        |
        | read_file('src')                         | Error      | IS_A_DIRECTORY   |
        | write_file('src/lib', '')                | Error      | IS_A_DIRECTORY   |
        | remove_file('src')                       | Error      | IS_A_DIRECTORY   |
        | read_file('src/a.txt/')                  | Error      | NOT_A_DIRECTORY  |
        | write_file('src/a.txt/b.txt', '')        | Error      | NOT_A_DIRECTORY  |
        | write_file('src/a.txt', 'x', 'insert', 9) | ValueError | OFFSET_PAST_END |

    Scenario: What was not copied cannot be read, what was can
      Given the file "secret.txt" holds "hidden"
      When a program tries `read_file('secret.txt')`
      Then it catches an Error with the code NOT_FOUND
      When the program `return read_file('src/a.txt')` runs
      Then the run completes with `'one\n'`

    Scenario: An absolute path of the host is a place in the tree, and nothing is there
      When a program tries `read_file('/etc/passwd')`
      Then it catches an Error with the code NOT_FOUND
      And nothing of the host is in it

  Rule: Directories are there while a file is in them

    Scenario: A directory is gone with its last file
      When the program `remove_file('src/lib/b.txt'); write_file('src/lib', 'now a file'); return list_files()` runs
      Then the run completes with `['src/a.txt', 'src/lib']`

    Scenario: An empty directory of the host is not in the tree
      Given a directory "src/empty"
      When a program tries `list_files('src/empty')`
      Then it catches an Error with the code NOT_FOUND

    Scenario: A tree that was emptied can still be listed
      When the program `for (const path of list_files()) remove_file(path); return list_files()` runs
      Then the run completes with `[]`

  Rule: Copies are placed where the operator says

    Scenario Outline: "<input>" lies at <place>
      Given a copy of "<input>"
      When the program `return list_files().filter((path) => path !== 'src/a.txt' && path !== 'src/lib/b.txt')` runs
      Then the run completes with `<place>`

      Examples:
        | input                | place                      |
        | src/a.txt            | ['a.txt']                  |
        | src/lib              | ['lib/b.txt']              |
        | src/lib=/x/y         | ['x/y/b.txt']              |
        | src/a.txt=/x         | ['x']                      |
        | src/a.txt=/x/        | ['x/a.txt']                |
        | src/a.txt=/          | ['a.txt']                  |
        | src/a.txt=/src/lib   | ['src/lib/a.txt']          |

    Scenario: What is excluded is not copied
      Given the file "src/node_modules/x/index.txt" holds "x"
      And a copy without "node_modules"
      When the program `return list_files()` runs
      Then the run completes with `['src/a.txt', 'src/lib/b.txt']`

    Scenario: What git ignores is copied all the same
      Given the file "src/.gitignore" holds "*.txt\n"
      When the program `return list_files()` runs
      Then the run completes with `['src/.gitignore', 'src/a.txt', 'src/lib/b.txt']`

  Rule: Any bytes can be copied

    Scenario: A file that is no text is refused to read, and stays what it is
      Given the file "src/c.bin" holds the bytes "00 ff fe"
      When a program tries `read_file('src/c.bin')`
      Then it catches a ValueError with the code NOT_UTF8
      And the changes are `[]`

    Scenario: Text crosses as it is: byte order mark, CRLF, lone CR, no final line feed
      Given the file "src/c.txt" holds the bytes "ef bb bf 61 0d 0a 62 0d 63"
      When the program `write_file('src/c.txt', read_file('src/c.txt')); return read_file('src/c.txt').length` runs
      Then the run completes with `7`
      And the changes are `[]`

  Rule: Links and special files are refused before the program starts

    Scenario: A link in the copied tree is refused by its name
      Given a link "src/out" to "{outside}"
      When a program is refused to start: `return 1`
      Then it is refused with NOT_A_REGULAR_FILE
      And the refusal says "src/out"

    Scenario: A link that is excluded is no obstacle
      Given a link "src/out" to "{outside}"
      And a copy without "out"
      When the program `return list_files().length` runs
      Then the run completes with `2`

    Scenario Outline: A link as "<input>" is refused
      Given a link "door" to "src"
      And a copy of "<input>=/other"
      When a program is refused to start: `return 1`
      Then it is refused with NOT_A_REGULAR_FILE
      And the refusal says "symbolic link"

      Examples:
        | input  |
        | door   |
        | door/  |
        | door/. |

    Scenario: A link on the way to what is copied is followed
      Given a link "door" to "src"
      And a copy of "door/lib=/other"
      When the program `return read_file('other/b.txt')` runs
      Then the run completes with `'two\n'`

    Scenario: A FIFO is refused, a file in its place is copied
      Given a FIFO "src/pipe"
      When a program is refused to start: `return 1`
      Then it is refused with NOT_A_REGULAR_FILE
      Given the file "src/pipe" is removed
      And the file "src/pipe" holds "now a file"
      When the program `return read_file('src/pipe')` runs
      Then the run completes with `'now a file'`

    Scenario: What is not there cannot be copied
      Given a copy of "none"
      When a program is refused to start: `return 1`
      Then it is refused with NOT_FOUND

  Rule: The tree has its room

    Scenario: A write that would pass treeBytes is refused, one that fills it is not
      Given the limit treeBytes of 10
      When a program tries `write_file('c.txt', 'xxx')`
      Then it catches a ValueError with the code TREE_FULL
      When a program tries `(write_file('c.txt', 'xx'), list_files().length)`
      Then the run completes with `{ value: 3 }`

    Scenario: A refused write has not grown the tree
      Given the limit treeBytes of 10
      When this program runs:
        """
        try { write_file('c.txt', 'xxx') } catch {}
        write_file('c.txt', 'xx');
        return list_files();
        """
      Then the run completes with `['c.txt', 'src/a.txt', 'src/lib/b.txt']`

    Scenario: Files and directories count as nodes, those a write would make as well
      Given the limit treeNodes of 6
      When a program tries `write_file('x/y/z.txt', '')`
      Then it catches a ValueError with the code TREE_FULL
      When the program `write_file('x/z.txt', ''); return list_files('x')` runs
      Then the run completes with `['x/z.txt']`

    Scenario: A removal makes room
      Given the limit treeBytes of 8
      When the program `remove_file('src/a.txt'); write_file('c.txt', 'four'); return list_files()` runs
      Then the run completes with `['c.txt', 'src/lib/b.txt']`

    Scenario Outline: A tree over <limit> is refused before the program starts, one that just fits is copied
      Given the limit <limit> of <less>
      When a program is refused to start: `return 1`
      Then it is refused with TREE_FULL
      And the refusal says "<limit>"
      Given the limit <limit> of <enough>
      When the program `return list_files().length` runs
      Then the run completes with `2`

      Examples:
        | limit     | less | enough |
        | treeBytes | 7    | 8      |
        | treeNodes | 3    | 4      |

  Rule: The host stays as it is

    Scenario: Nothing on the disk changes while a program writes and removes
      When the program `for (const path of list_files()) remove_file(path); write_file('src/a.txt', 'x')` runs
      Then the run completes
      And nothing on the disk has changed

    Scenario: The effects are those on the tree, and the run says that it is staged
      When the program `write_file('src/a.txt', read_file('src/lib/b.txt'))` runs
      Then the effects are:
        | helper     | path          | bytes | created |
        | read_file  | src/lib/b.txt | 4     |         |
        | write_file | src/a.txt     | 4     | no      |
      And nothing on the disk has changed
