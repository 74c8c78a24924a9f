Feature: Limits end a run, whatever the program catches
  Every limit is finite. Whether one was hit is what the host saw, not what the program says.

  Rule: Time is measured from outside

    Background:
      Given the limit timeMs of 250

    Scenario Outline: <what> is ended by the time limit
      When this program runs:
        """
        <program>
        """
      Then the run is limited by time at 250

      Examples:
        | what                                   | program                                                            |
        | A loop                                 | while (true) {}                                                    |
        | A loop whose interruption is caught    | try { while (true) {} } catch {} return 'survived'                 |
        | A loop in a finally block              | try { throw 1 } finally { while (true) {} }                        |
        | A loop in a promise job                | await Promise.resolve().then(() => { while (true) {} })            |
        | A storm of jobs                        | (function f() { Promise.resolve().then(f) })(); await new Promise(() => {}) |
        | A runaway regular expression           | return /^(a+)+$/.test('a'.repeat(40) + '!')                        |
        | A native call that never looks up      | return new Array(1e9).join('x')                                    |
        | A getter of the result                 | return { get x() { while (true) {} } }                             |
        | A proxy as the result                  | return new Proxy({}, { ownKeys() { while (true) {} } })            |

    Scenario: The next run on the same runtime is unharmed
      When this program runs twice:
        """
        if (Math.random() >= 0) while (true) {}
        """
      Then the run is limited by time at 250
      When the program `return 'well'` runs
      Then the run completes with `'well'`

  Rule: Memory that was refused once ends the run

    Background:
      Given the limit memoryBytes of 33554432

    Scenario Outline: <what> is ended by the memory limit
      When this program runs:
        """
        <program>
        """
      Then the run is limited by memory at 33554432

      Examples:
        | what                        | program                                                                      |
        | Many arrays                 | const a = []; while (true) a.push(new Array(1e5).fill(1))                    |
        | One huge string             | return 'x'.repeat(2 ** 28).length                                            |
        | A failure that was caught   | let a = []; try { for (;;) a.push(new Uint8Array(1e6)) } catch { a = null } return 'survived' |

    Scenario: Below the limit the same program completes
      When the program `const a = []; for (let i = 0; i < 10; i++) a.push(new Uint8Array(1e6)); return a.length` runs
      Then the run completes with `10`

  Rule: The stack may be caught, as in every engine; uncaught it ends the run

    Scenario: Uncaught
      When the program `(function f() { f() })()` runs
      Then the run is limited by stack at 262144

    Scenario: Caught
      When the program `try { (function f() { f() })() } catch (error) { return error instanceof Error }` runs
      Then the run completes with `true`

  Rule: What crosses the border is measured

    Scenario: A source over the limit is not compiled
      Given the limit sourceBytes of 20
      When the program `console.log('ran'); return 'far too long'` runs
      Then the run is limited by source at 20
      And it used 41
      And nothing was printed

    Scenario: Input over the limit does not reach a program
      Given the limit inputBytes of 1000
      And the input `'x'.repeat(2000)`
      When the program `console.log('ran'); return 1` runs
      Then the run is limited by input at 1000
      And nothing was printed

    Scenario: A result over the limit does not reach the caller
      Given the limit resultBytes of 1000
      When the program `return 'x'.repeat(2000)` runs
      Then the run is limited by result at 1000

    Scenario: A smaller result does
      Given the limit resultBytes of 1000
      When the program `return 'x'.repeat(500).length` runs
      Then the run completes with `500`

  Rule: Helper calls and their bytes are counted by the host

    Background:
      Given unsafe mode with the write flag
      And the file "a.txt" holds "0123456789"

    Scenario: One call too many ends the run, though its error is caught
      Given the limit helperCalls of 3
      When this program runs:
        """
        for (let i = 0; i < 9; i++) { try { read_file('a.txt'); } catch {} }
        return 'survived';
        """
      Then the run is limited by helper_calls at 3
      And the effects are:
        | helper    | path  | bytes | created |
        | read_file | a.txt | 10    |         |
        | read_file | a.txt | 10    |         |
        | read_file | a.txt | 10    |         |

    Scenario: Exactly as many calls as allowed complete
      Given the limit helperCalls of 3
      When the program `for (let i = 0; i < 3; i++) read_file('a.txt'); return 'done'` runs
      Then the run completes with `'done'`

    Scenario: One byte too many ends the run
      Given the limit helperBytes of 25
      When the program `for (let i = 0; i < 3; i++) { try { read_file('a.txt') } catch {} } return 'survived'` runs
      Then the run is limited by helper_bytes at 25

    Scenario: A write over the limit writes nothing
      Given the limit helperBytes of 25
      When the program `try { write_file('a.txt', 'x'.repeat(30)) } catch {} return 'survived'` runs
      Then the run is limited by helper_bytes at 25
      And nothing on the disk has changed

  Rule: A limit cannot be forged

    Scenario Outline: Throwing <forgery> is a failure and no limit
      When the program `throw <forgery>` runs
      Then the run fails as thrown

      Examples:
        | forgery                                                                              |
        | { name: 'InternalError', message: 'interrupted', code: 'LIMIT_TIME' }                |
        | Object.assign(new Error('interrupted'), { name: 'InternalError' })                   |
        | Object.assign(new Error('out of memory'), { name: 'InternalError' })                 |
        | Object.assign(new Error('x'), { limit: 'memory', status: 'limited' })                |

  Rule: A limit that makes no sense is refused before anything runs

    Scenario Outline: <name> cannot be <value>
      Given the limit <name> of <value>
      When a program is refused to start: `return 1`
      Then it is refused with LIMIT_INVALID
      And the refusal says "<name>"

      Examples:
        | name        | value    |
        | timeMs      | 0        |
        | timeMs      | -1       |
        | memoryBytes | 1024     |
        | helperCalls | 0        |
        | timMs       | 100      |
