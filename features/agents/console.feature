Feature: What a program prints is kept in order
  console never throws into the program, and it never floods whoever reads it.

  Rule: Lines keep their order and their level

    Scenario: All five levels
      When this program runs:
        """
        console.log('a', 1, true, null, undefined);
        console.info('b');
        console.warn('c');
        console.error('d');
        console.debug('e');
        """
      Then the console shows:
        | level | text                    |
        | log   | a 1 true null undefined |
        | info  | b                       |
        | warn  | c                       |
        | error | d                       |
        | debug | e                       |

    Scenario: What was printed before a failure is kept
      When the program `console.log('before'); throw new Error('x')` runs
      Then the run fails with Error: "x"
      And the console shows:
        | level | text   |
        | log   | before |

  Rule: Values are shown readably

    Scenario Outline: <value> is shown with <part>
      When the program `console.log(<value>)` runs
      Then the printed text has "<part>"

      Examples:
        | value                                             | part        |
        | { a: [1, { b: 'x' }] }                            | b:          |
        | [1, 2]                                            | [           |
        | new Map([['key', 1]])                             | key         |
        | new Error('boom')                                 | boom        |
        | 10n                                               | 10n         |
        | Symbol('mark')                                    | mark        |
        | function named() {}                               | named       |
        | (() => { const o = {}; o.self = o; return o })()  | ircular     |

  Rule: A call never throws into the program

    Scenario Outline: Printing <value> does no harm
      When the program `console.log(<value>); return 'went on'` runs
      Then the run completes with `'went on'`

      Examples:
        | value                                                      |
        | new Proxy({}, { get() { throw 1 }, ownKeys() { throw 1 } }) |
        | { get a() { throw 1 } }                                    |
        | { toString() { throw 1 }, [Symbol.toPrimitive]: 1 }        |
        | Object.create(null)                                        |
        | 'a\ud83d'                                                  |

  Rule: Too much of it is cut, and the outcome says so

    Scenario: Output over the limit
      Given the limit consoleBytes of 100
      When the program `for (let i = 0; i < 100; i++) console.log('line ' + i); return 'done'` runs
      Then the run completes with `'done'`
      And the warnings are `['CONSOLE_TRUNCATED']`
      And the printed text was cut to at most 100 bytes

    Scenario: Output within the limit
      Given the limit consoleBytes of 100
      When the program `console.log('short'); return 'done'` runs
      Then the run completes with `'done'`
      And the warnings are `[]`
