Feature: A live write needs the operator's second yes
  Unsafe mode gives a program the name write_file. Only `_unsafe_mode: true` in the invocation context, judged on the
  host's own copy, makes it write.

  Background:
    Given unsafe mode
    And the file "a.txt" holds "old"

  Rule: With the flag the write happens

    Scenario: The boolean true as an own property is the flag
      Given the invocation context `{ _unsafe_mode: true }`
      When the program `return write_file("a.txt", "new")` runs
      Then the run completes with `3`
      And the file "a.txt" now holds "new"

  Rule: Everything that only looks like the flag is refused, and nothing is written

    Scenario Outline: <context> is not the flag
      Given the invocation context `<context>`
      When a program tries `write_file("a.txt", "new")`
      Then it catches a ValueError with the code UNSAFE_FLAG_MISSING
      And the path is "a.txt"
      And nothing on the disk has changed

      Examples:
        | context                                              |
        | {}                                                   |
        | { _unsafe_mode: false }                              |
        | { _unsafe_mode: 'true' }                             |
        | { _unsafe_mode: 1 }                                  |
        | { _unsafe_mode: 1n }                                 |
        | { _unsafe_mode: null }                               |
        | { _unsafe_mode: [true] }                             |
        | { _unsafe_mode: { valueOf: 1 } }                     |
        | { unsafe_mode: true }                                |
        | { _UNSAFE_MODE: true }                               |
        | { '_unsafe_mode ': true }                            |
        | { options: { _unsafe_mode: true } }                  |
        | JSON.parse('{"__proto__": {"_unsafe_mode": true}}')  |

    Scenario: Without any invocation context there is no flag
      When a program tries `write_file("a.txt", "new")`
      Then it catches a ValueError with the code UNSAFE_FLAG_MISSING
      And nothing on the disk has changed

    Scenario Outline: A context that is more than plain data starts no run: <context>
      Given the invocation context `<context>`
      When a program is refused to start: `write_file("a.txt", "new")`
      Then it is refused with ARGUMENT_INVALID
      And nothing on the disk has changed

      Examples:
        | context                                         |
        | { get _unsafe_mode() { return true } }          |
        | Object.create({ _unsafe_mode: true })           |
        | new (class { _unsafe_mode = true })()           |
        | { _unsafe_mode: new Boolean(true) }             |
        | { _unsafe_mode: () => true }                    |
        | [['_unsafe_mode', true]]                        |

  Rule: A program cannot raise the flag itself

    Scenario Outline: <trick> changes nothing
      Given the invocation context `{ nested: {} }`
      When this program runs:
        """
        try { <trick> } catch {}
        try { write_file('a.txt', 'new'); return 'written'; } catch (error) { return error.code; }
        """
      Then the run completes with `'UNSAFE_FLAG_MISSING'`
      And nothing on the disk has changed

      Examples:
        | trick                                                                    |
        | context._unsafe_mode = true                                              |
        | Object.defineProperty(context, '_unsafe_mode', { value: true })          |
        | Object.prototype._unsafe_mode = true                                     |
        | Object.setPrototypeOf(context, { _unsafe_mode: true })                   |
        | globalThis.context = { _unsafe_mode: true }                              |
        | context = { _unsafe_mode: true }                                         |
        | Object.isFrozen = () => false; context.nested._unsafe_mode = true        |
        | write_file.call({ _unsafe_mode: true }, 'a.txt', 'new')                  |

    Scenario: What the program sees is a frozen copy
      Given the invocation context `{ nested: { list: [1] } }`
      When the program `return [context, context.nested, context.nested.list].map(Object.isFrozen)` runs
      Then the run completes with `[true, true, true]`

  Rule: Without the flag nothing is learnt from a file by writing

    Scenario Outline: <call> is refused for the flag, whatever the file holds
      Given the file "latin.txt" holds the bytes "ff"
      When a program tries `<call>`
      Then it catches a ValueError with the code UNSAFE_FLAG_MISSING
      And nothing on the disk has changed

      Examples:
        | call                                        |
        | write_file("a.txt", "x", "insert", 99)      |
        | write_file("latin.txt", "x", "insert", 0)   |
        | write_file("a.txt", "x", "a")               |
        | write_file("none.txt", "x", "insert", 0)    |

    Scenario: A path that is not allowed is still named first
      When a program tries `write_file("../a.txt", "x")`
      Then it catches a ValueError with the code PATH_TRAVERSAL
