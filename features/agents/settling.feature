Feature: A forgotten await is seen
  There are no timers in the sandbox: what is left when the body has returned is finished, and what can never go on ends
  at once.

  Rule: Work left over is run to its end, and reported

    Scenario: A promise nobody awaited is finished and warned about
      When this program runs:
        """
        (async () => { await null; await null; console.log('late'); })();
        return 1;
        """
      Then the run completes with `1`
      And the warnings are `['PENDING_WORK']`
      And the console shows:
        | level | text |
        | log   | late |

    Scenario: Awaited, the same work gives no warning
      When this program runs:
        """
        await (async () => { await null; await null; console.log('late'); })();
        return 1;
        """
      Then the run completes with `1`
      And the warnings are `[]`

    Scenario: The result is read after the last job
      When the program `const o = { n: 0 }; Promise.resolve().then(() => { o.n = 1 }); return o` runs
      Then the run completes with `{ n: 1 }`

    Scenario: A write left over still lands
      Given unsafe mode with the write flag
      When this program runs:
        """
        (async () => { await null; write_file('a.txt', 'late'); })();
        return 1;
        """
      Then the run completes with `1`
      And the file "a.txt" now holds "late"
      And the warnings are `['PENDING_WORK']`

  Rule: A program that can never go on ends at once

    Scenario Outline: `<program>` never settles
      When the program `<program>` runs
      Then the run fails with the code NEVER_SETTLES
      And the run fails as never_settles
      And its hint says "resolve"

      Examples:
        | program                                                          |
        | await new Promise(() => {})                                      |
        | return new Promise(() => {})                                     |
        | return { then() {} }                                             |
        | for await (const x of [new Promise(() => {})]) {}                |

    Scenario: With the missing resolve it completes
      When the program `return await new Promise((resolve) => resolve(1))` runs
      Then the run completes with `1`
