Feature: The operator decides by mode and flag what a helper or tool may do
  Two gates stand before a write: the mode of the run, and the flag in the invocation context. A read of the root needs
  the mode for helpers, and nothing for tools.

  Background:
    Given the file "a.txt" holds "text"

  Rule: file_read works inside the root in every mode

    Scenario Outline: In <mode> mode with the context <context> the tool reads
      Given the mode <mode>
      And the invocation context `<context>`
      When the tool file_read is called with `{ path: 'a.txt' }`
      Then the tool answers "[FILE_READ_SUCCESS] a.txt chars 0-4 of 4\ntext"

      Examples:
        | mode   | context                 |
        | safe   | {}                      |
        | safe   | { _unsafe_mode: true }  |
        | unsafe | {}                      |
        | unsafe | { _unsafe_mode: true }  |

    Scenario: Outside the root it does not
      Given safe mode
      When the tool file_read is called with `{ path: '../outside/secret.txt' }`
      Then the tool is refused with PATH_TRAVERSAL

  Rule: file_write needs both gates, and says which one is shut

    Scenario Outline: In <mode> mode with the context <context> it is refused with <code>
      Given the mode <mode>
      And the invocation context `<context>`
      When the tool file_write is called with `{ path: 'a.txt', content: 'new' }`
      Then the tool is refused with <code>
      And nothing on the disk has changed

      Examples:
        | mode   | context                   | code                |
        | safe   | {}                        | MODE_SAFE           |
        | safe   | { _unsafe_mode: true }    | MODE_SAFE           |
        | unsafe | {}                        | UNSAFE_FLAG_MISSING |
        | unsafe | { _unsafe_mode: 'true' }  | UNSAFE_FLAG_MISSING |
        | unsafe | { _unsafe_mode: 1 }       | UNSAFE_FLAG_MISSING |

    Scenario: With both it writes
      Given unsafe mode with the write flag
      When the tool file_write is called with `{ path: 'a.txt', content: 'new' }`
      Then the tool answers "[FILE_WRITE_SUCCESS] a.txt w: 3 chars written, now 3 bytes"
      And the file "a.txt" now holds "new"

  Rule: read_file needs the mode, write_file both

    Scenario Outline: In <mode> mode with the context <context>, reading is <read> and writing <write>
      Given the mode <mode>
      And the invocation context `<context>`
      When this program runs:
        """
        const results = [];
        for (const call of [() => read_file('a.txt'), () => write_file('a.txt', 'new')]) {
          try { call(); results.push('done'); } catch (error) { results.push(error.code ?? error.name); }
        }
        return results.join(', ');
        """
      Then the run completes with `'<read>, <write>'`

      Examples:
        | mode   | context                | read           | write               |
        | safe   | {}                     | ReferenceError | ReferenceError      |
        | safe   | { _unsafe_mode: true } | ReferenceError | ReferenceError      |
        | unsafe | {}                     | done           | UNSAFE_FLAG_MISSING |
        | unsafe | { _unsafe_mode: true } | done           | done                |

  Rule: Unsafe mode needs a root, and safe mode needs none

    Scenario: Unsafe mode without a root does not start
      Given unsafe mode
      But no root
      When a program is refused to start: `return 1`
      Then it is refused with ROOT_INVALID

    Scenario: A root that is not there does not start
      Given safe mode
      And the root "none"
      When a program is refused to start: `return 1`
      Then it is refused with ROOT_INVALID

    Scenario: A root that is a file does not start
      Given safe mode
      And the root "a.txt"
      When a program is refused to start: `return 1`
      Then it is refused with ROOT_INVALID

    Scenario: A program that only computes needs no root
      Given safe mode
      But no root
      When the program `return 1` runs
      Then the run completes with `1`

  Rule: An option that does not exist is refused, with the nearest that does

    Scenario Outline: <options> is refused with <nearest>
      Given the runtime option `<options>`
      When a program is refused to start: `return 1`
      Then it is refused with ARGUMENT_INVALID
      And the hint of the refusal says "<nearest>"

      Examples:
        | options                   | nearest          |
        | { protectedPath: [] }     | protectedPaths   |
        | { requireRacefree: true } | requireRaceFree  |
        | { worker: 1 }             | workers          |
