import { describe, expect, it } from 'vitest';
import type { ProgramError } from '../contract/outcome.ts';
import { renderCodeFrame } from './code-frame.ts';

function frame(error: Partial<ProgramError>, source = 'const a = 1;\n\tnull.x\nend'): string {
  return renderCodeFrame({ kind: 'thrown', name: 'TypeError', message: 'boom', stack: '', ...error }, source, 'a.js');
}

describe('renderCodeFrame()', () => {
  it('shows the line with a caret below the column, the message, the stack', () => {
    expect(frame({ line: 2, column: 7, stack: '    at f (a.js:2:7)' })).toBe(
      ['a.js:2:7', '  |', '2 | \tnull.x', '  | \t     ^', 'TypeError: boom', '    at f (a.js:2:7)', ''].join('\n'),
    );
  });

  it('makes room for the number of the line', () => {
    expect(frame({ line: 12, column: 1 }, '\n'.repeat(11).concat('x\r\n'))).toBe(
      ['a.js:12:1', '   |', '12 | x', '   | ^', 'TypeError: boom', ''].join('\n'),
    );
  });

  it('has no caret without a column, no line without a position, no name without one', () => {
    expect(frame({ line: 1 })).toBe(['a.js:1', '  |', '1 | const a = 1;', 'TypeError: boom', ''].join('\n'));
    expect(frame({})).toBe('TypeError: boom\n');
    expect(frame({ message: '' })).toBe('TypeError\n');
    expect(frame({ kind: 'never_settles', message: 'Cannot finish', hint: 'Look.' })).toBe(
      'Cannot finish\nhint: Look.\n',
    );
  });

  it('puts the caret behind the line where the column lies behind it, and stays calm about a line that is not there', () => {
    expect(frame({ line: 3, column: 99 })).toContain('3 | end\n  |    ^\n');
    expect(frame({ line: 9, column: 1 })).toContain('9 | \n  | ^\n');
  });

  it('shows a long line around its column', () => {
    const shown = frame({ line: 1, column: 501 }, `${'a'.repeat(500)}X${'b'.repeat(500)}`).split('\n');
    expect(shown[2]).toBe(`1 | …${'a'.repeat(50)}X${'b'.repeat(49)}…`);
    expect(shown[3]?.indexOf('^')).toBe(shown[2]?.indexOf('X'));
    expect(frame({ line: 1, column: 1 }, `X${'b'.repeat(500)}`).split('\n')[2]).toBe(`1 | X${'b'.repeat(99)}…`);
    expect(frame({ line: 1, column: 501 }, `${'a'.repeat(500)}X`).split('\n')[2]).toBe(`1 | …${'a'.repeat(99)}X`);
  });

  it('shows the chain of causes', () => {
    const cause = {
      name: 'Error',
      message: 'inner',
      cause: { name: 'RangeError', message: 'innermost', stack: '    at g' },
    };
    expect(frame({ cause })).toBe(
      'TypeError: boom\ncaused by Error: inner\ncaused by RangeError: innermost\n    at g\n',
    );
  });

  it('shows what could steer a terminal instead of passing it on', () => {
    expect(frame({ message: '\u001b[2J\u202e' })).toBe('TypeError: \\u{1b}[2J\\u{202e}\n');
    expect(frame({ line: 1, column: 1 }, '\u001b[31mred')).toContain('1 | \\u{1b}[31mred');
  });
});
