Feature: A program finds exactly the helpers of its mode
  Whoever writes a program can rely on the names in scope, and whoever runs it decides which those are.

  Rule: In safe mode there is no helper, and no stub that pretends

    Scenario: Asking for the type of a helper says undefined
      Given safe mode
      When the program `return [typeof read_file, typeof write_file]` runs
      Then the run completes with `['undefined', 'undefined']`

    Scenario Outline: Naming <helper> is the language's own ReferenceError
      Given safe mode
      When a program tries `<helper>("notes.txt")`
      Then it catches a ReferenceError

      Examples:
        | helper     |
        | read_file  |
        | write_file |

    Scenario: The write flag alone opens nothing
      Given safe mode
      And the invocation context `{ _unsafe_mode: true }`
      When the program `return [typeof read_file, typeof write_file]` runs
      Then the run completes with `['undefined', 'undefined']`

  Rule: In unsafe mode there are exactly two helpers

    Scenario: Reading and writing are there, listing and removing are not
      Given unsafe mode
      When this program runs:
        """
        return [typeof read_file, typeof write_file, typeof list_files, typeof remove_file, typeof edit_file];
        """
      Then the run completes with `['function', 'function', 'undefined', 'undefined', 'undefined']`

    Scenario: A program learns file names from its input
      Given unsafe mode
      And the file "a.txt" holds "one"
      And the file "b.txt" holds "two"
      And the input `['a.txt', 'b.txt']`
      When the program `return input_data.map((name) => read_file(name))` runs
      Then the run completes with `['one', 'two']`

  Rule: Helpers are injected locals and never globals

    Scenario Outline: globalThis has no helper in <mode> mode
      Given the mode <mode>
      When the program `return ['read_file', 'write_file', 'context', 'input_data'].filter((name) => name in globalThis)` runs
      Then the run completes with `[]`

      Examples:
        | mode   |
        | safe   |
        | unsafe |

    Scenario: Declaring one again is a syntax error with a hint
      Given unsafe mode
      When the program `const read_file = 1; return read_file` runs
      Then the run fails as syntax
      And its hint says "read_file"

    Scenario: In safe mode the same name is free
      Given safe mode
      When the program `const read_file = 1; return read_file` runs
      Then the run completes with `1`

  Rule: Helpers are synchronous, and awaiting them does no harm

    Scenario: A read returns the text at once
      Given unsafe mode
      And the file "a.txt" holds "one"
      When the program `return read_file("a.txt") + (await read_file("a.txt"))` runs
      Then the run completes with `'oneone'`

  Rule: Nothing of the host is in scope in any mode

    Scenario Outline: The usual ways out are absent in <mode> mode
      Given the mode <mode>
      When this program runs:
        """
        const names = ['process', 'require', 'fetch', 'setTimeout', 'open', 'os', 'std', 'Worker', 'WebAssembly',
          'SharedArrayBuffer', 'Buffer', 'Deno', 'Bun', 'scriptArgs', 'performance', 'module', '__filename'];
        return names.filter((name) => eval('typeof ' + name) !== 'undefined');
        """
      Then the run completes with `[]`

      Examples:
        | mode   |
        | safe   |
        | unsafe |

    Scenario: A dynamic import is rejected
      Given unsafe mode
      When the program `return await import('fs')` runs
      Then the run fails as thrown
