Feature: Values cross the border whole, or the run says where one cannot
  The same values cross as input, as result and as thrown value. What cannot cross is named, never guessed.

  Rule: These values cross in both directions

    Scenario Outline: <value> goes in and comes out the same
      Given the input `<value>`
      When the program `return input_data` runs
      Then the run completes with `<value>`

      Examples: Primitives
        | value                                     |
        | undefined                                 |
        | null                                      |
        | true                                      |
        | [NaN, Infinity, -Infinity, -0, 0, 1e308]  |
        | [9007199254740991, 0.1, -2147483649]      |
        | 10n ** 40n                                |
        | [-1n, 0n]                                 |

      Examples: Strings
        | value                                     |
        | 'a\0b'                                    |
        | 'a\ud83d'                                 |
        | '\ufeffx'                                 |
        | '👍'                                      |
        | 'x'.repeat(1024 * 1024)                   |

      Examples: Objects
        | value                                                   |
        | [undefined, 1, [[]]]                                    |
        | { a: { b: [1] }, '': 2, then: 3, constructor: 4 }       |
        | JSON.parse('{"__proto__":{"x":1}}')                     |
        | [new Date(0), new Date(8.64e15)]                        |
        | new Map([[{ k: 1 }, 2], ['a', new Set([1, 'b'])]])      |
        | new Set([[1], undefined])                               |
        | new Uint8Array([0, 128, 255])                           |
        | new Uint8Array([1, 2]).buffer                           |

    Scenario: A date that is none stays a date that is none
      Given the input `new Date(NaN)`
      When the program `return [input_data instanceof Date && isNaN(input_data), input_data]` runs
      Then the run completes with a true and an invalid date

  Rule: A result may lose only what the border drops by rule

    Scenario Outline: <returned> arrives as <value>
      When the program `return <returned>` runs
      Then the run completes with `<value>`

      Examples:
        | returned                                            | value               |
        | [1, , 3]                                            | [1, undefined, 3]   |
        | Object.assign([1], { extra: 2 })                    | [1]                 |
        | { [Symbol('s')]: 1, a: 2 }                          | { a: 2 }            |
        | { toJSON() { return 1 } }.a                         | undefined           |
        | Object.defineProperty({ a: 1 }, 'b', { value: 2 })  | { a: 1 }            |
        | (() => { const o = { a: 1 }; return [o, o] })()     | [{ a: 1 }, { a: 1 }] |
        | { get a() { return 1 } }                            | { a: 1 }            |

    Scenario: A promise is awaited
      When the program `return (async () => 7)()` runs
      Then the run completes with `7`

    Scenario: A thenable is awaited
      When the program `return { then(resolve) { resolve(7) } }` runs
      Then the run completes with `7`

    Scenario: An error crosses with name, message, code and cause
      When this program runs:
        """
        class ShopError extends RangeError { name = 'ShopError'; code = 'SOLD_OUT'; }
        return new ShopError('no pears', { cause: new TypeError('empty') });
        """
      Then the result is an Error with `{ name: 'ShopError', message: 'no pears', code: 'SOLD_OUT' }`
      And its cause is an Error with `{ name: 'TypeError', message: 'empty' }`

  Rule: A result that cannot cross fails the run and names the place

    Scenario Outline: <returned> is refused at <place>
      When the program `return <returned>` runs
      Then the run fails with the code RESULT_NOT_SERIALIZABLE
      And the error says "<place>"

      Examples:
        | returned                                                       | place                      |
        | () => 1                                                        | result is a function       |
        | { items: [1, 2, 3, { callback() {} }] }                        | result.items[3].callback   |
        | { 'a b': Symbol('s') }                                         | result[\\"a b\\"]          |
        | (() => { const a = { list: [1] }; a.list.push(a); return a })() | result.list[1]            |
        | /x/                                                            | RegExp                     |
        | new (class Cart {})()                                          | Cart                       |
        | new WeakMap()                                                  | WeakMap                    |
        | new Float64Array(1)                                            | Float64Array               |
        | Object('boxed')                                                | String                     |
        | new Map([['k', () => 1]])                                      | result                     |
        | { toJSON() { return 1 } }                                      | result.toJSON              |

  Rule: Input that cannot cross is refused before anything runs

    Scenario Outline: <input> is refused at <place>
      Given the input `<input>`
      When a program is refused to start: `console.log('ran'); return 1`
      Then it is refused with INPUT_NOT_SERIALIZABLE
      And the refusal says "<place>"

      Examples:
        | input                                 | place               |
        | () => 1                               | function            |
        | { items: [{ callback() {} }] }        | items[0].callback   |
        | /x/                                   | RegExp              |
        | new (class Cart {})()                 | Cart                |
        | Symbol('s')                           | symbol              |

    Scenario: The same input without the function runs
      Given the input `{ items: [{}] }`
      When the program `return input_data` runs
      Then the run completes with `{ items: [{}] }`
