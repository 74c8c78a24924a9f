Feature: A run ends with one truthful outcome
  Whoever started a run learns how it ended, where it failed, and what the program printed.

  Rule: A program is the body of an async function

    Scenario Outline: `<program>` completes with <value>
      When the program `<program>` runs
      Then the run completes with `<value>`

      Examples:
        | program                                  | value       |
        | return 1 + 1                             | 2           |
        | return await Promise.resolve(3)          | 3           |
        | const unused = 1                         | undefined   |
        | return input_data                        | undefined   |
        | return context                           | {}          |
        | undeclared = 1; return undeclared        | 1           |

    Scenario: A strict program is strict
      When the program `'use strict'; undeclared = 1` runs
      Then the run fails with ReferenceError in line 1

    Scenario: TypeScript runs with its types erased
      Given the language ts
      When this program runs:
        """
        interface Row { readonly name: string; count: number }
        const rows: Row[] = [{ name: 'a', count: 2 }] satisfies Row[];
        return rows.map(({ count }: Row): number => count as number);
        """
      Then the run completes with `[2]`

    Scenario Outline: <what> cannot be erased and is refused in line 2
      Given the language ts
      When this program runs:
        """
        const a = 1;
        <code>
        """
      Then the run fails as syntax
      And the run fails with SyntaxError in line 2

      Examples:
        | what                   | code                                              |
        | an enum                | enum Colour { Red }                               |
        | a parameter property   | class A { constructor(private readonly x) {} }    |
        | a value namespace      | namespace N { export const x = 1 }                |
        | an angle assertion     | const b = <number>a;                              |

  Rule: A failure names the line and column of the body

    Scenario: A thrown error
      When this program runs:
        """
        const items = [1, 2];

          items.map((item) => item.missing.name);
        """
      Then the run fails with TypeError in line 3

    Scenario: An undefined name, exactly
      When this program runs:
        """
        const a = 1;

          undefinedName
        """
      Then the run fails with ReferenceError in line 3
      And the position is line 3, column 3

    Scenario: TypeScript keeps its lines
      Given the language ts
      When this program runs:
        """
        interface A {
          x: number;
        }
        const a = { x: 1 } as A;
        throw new RangeError('boom');
        """
      Then the run fails with RangeError in line 5

    Scenario: JSON that does not parse is reported where the program parsed it
      When this program runs:
        """
        const text = '{bad';

        JSON.parse(text);
        """
      Then the run fails with SyntaxError in line 3

    Scenario: The chain of causes is kept
      When the program `throw new Error('outer', { cause: new TypeError('inner') })` runs
      Then the run fails with Error: "outer"
      And its cause is TypeError: "inner"

    Scenario Outline: A thrown <value> is kept
      When the program `throw <value>` runs
      Then the run fails with the thrown value `<value>`

      Examples:
        | value                  |
        | 'plain'                |
        | null                   |
        | undefined              |
        | { code: 'E1', n: 2 }   |
        | 10n                    |

  Rule: Source that does not parse, or closes the wrapper, never runs

    Scenario Outline: `<program>` is a syntax error
      When the program `console.log('ran'); <program>` runs
      Then the run fails as syntax
      And nothing was printed

      Examples:
        | program                                        |
        | const = 1                                      |
        | import fs from 'fs'                            |
        | export const a = 1                             |
        | }); console.log('out'); (async function () {   |
        | } + {                                          |
        | } , {                                          |
        | } => {                                         |
        | }\n(1), {                                      |
        | */ } /*                                        |

  Rule: The caller may end a run at any time

    Scenario: While the program computes
      When the run is aborted while this program runs:
        """
        while (true) {}
        """
      Then the run is aborted because of "enough"

    Scenario: Before it starts
      When the run is aborted before this program runs:
        """
        console.log('ran'); return 1
        """
      Then the run is aborted because of "enough"
      And nothing was printed

    Scenario: What the program had written by then is listed
      Given unsafe mode with the write flag
      When the run is aborted as soon as this program has written "a.txt":
        """
        write_file('a.txt', 'done');
        while (true) {}
        """
      Then the run is aborted because of "enough"
      And the file "a.txt" now holds "done"
      And the effects are:
        | helper     | path  | bytes | created |
        | write_file | a.txt | 4     | yes     |

  Rule: Every run starts fresh

    Scenario: Nothing that one program left is there for the next
      When this program runs twice:
        """
        const found = [globalThis.left, Object.prototype.left, [].map === 1, Symbol.for('left').left];
        globalThis.left = Object.prototype.left = 'poison';
        Array.prototype.map = 1;
        Promise.prototype.then = () => 'poison';
        return found.slice(0, 3);
        """
      Then all runs complete with `[undefined, undefined, false]`
