Feature: A refused call throws an error that a program can act on
  Name, code, path and message say what is the case, in the program's own words and with nothing of the host in it.

  Background:
    Given unsafe mode with the write flag

  Rule: The name tells a wrong call from a file system that said no

    Scenario Outline: <call> is a <name> with the code <code>
      Given the file "a.txt" holds "text"
      And a directory "d"
      When a program tries `<call>`
      Then it catches a <name> with the code <code>
      And nothing on the disk has changed

      Examples:
        | call                              | name       | code             |
        | read_file("../a.txt")             | ValueError | PATH_TRAVERSAL   |
        | read_file("")                     | ValueError | PATH_INVALID     |
        | read_file("a.txt", -1)            | ValueError | ARGUMENT_INVALID |
        | write_file("a.txt", 1)            | ValueError | ARGUMENT_INVALID |
        | read_file("none.txt")             | Error      | NOT_FOUND        |
        | read_file("d")                    | Error      | IS_A_DIRECTORY   |
        | read_file("a.txt/")               | Error      | NOT_A_DIRECTORY  |
        | read_file("a.txt/x")              | Error      | NOT_A_DIRECTORY  |
        | write_file("d", "x")              | Error      | IS_A_DIRECTORY   |
        | write_file("no/x.txt", "x")       | Error      | PARENT_NOT_FOUND |

  Rule: The message names the helper, the path as written and the rule

    Scenario Outline: <call> says <message>
      When a program tries `<call>`
      Then the message is "<message>"

      Examples:
        | call                    | message                                             |
        | write_file("../x", "")  | write_file(\\"../x\\"): path contains \\"..\\"      |
        | read_file("a//../b")    | read_file(\\"a//../b\\"): path contains \\"..\\"    |

    Scenario: The path is the one the program wrote, not the one it resolved to
      When a program tries `read_file("./d//none.txt")`
      Then it catches an Error with the code NOT_FOUND
      And the path is "./d//none.txt"

    Scenario: A path that is no string is not shown
      When a program tries `read_file({ toString() { return 'a.txt' } })`
      Then it catches a ValueError with the code PATH_INVALID
      And there is no path

  Rule: Nothing of the host is in an error

    Scenario Outline: <call> shows no host path and no host frame
      Given outside the root, the file "secret.txt" holds "s"
      And a link "out" to "{outside}/secret.txt"
      And a link "gone" to "nothing"
      When a program tries `<call>`
      Then nothing of the host is in it

      Examples:
        | call                     |
        | read_file("out")         |
        | write_file("out", "x")   |
        | read_file("gone")        |
        | read_file("none.txt")    |
        | write_file("d/e", "x")   |
        | read_file("../x")        |

  Rule: A program may catch a refusal and go on

    Scenario: It falls back to another file
      Given the file "default.json" holds "{\"a\":1}"
      When this program runs:
        """
        function load(name) {
          try {
            return read_file(name);
          } catch (error) {
            if (error.code === 'NOT_FOUND') return read_file('default.json');
            throw error;
          }
        }
        return JSON.parse(load('mine.json'));
        """
      Then the run completes with `{ a: 1 }`

    Scenario: An error it does not catch ends the run with the same facts
      When this program runs:
        """
        const name = 'none.txt';
        return read_file(name);
        """
      Then the run fails with Error in line 2
      And the run fails with the code NOT_FOUND
      And the error says "none.txt"
