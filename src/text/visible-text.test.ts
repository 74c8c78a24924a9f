import { describe, expect, it } from 'vitest';
import { renderVisible, renderVisibleLine } from './visible-text.ts';

describe('renderVisible()', () => {
  it.each([
    ['an escape sequence', 'a\u001b[2Kb', 'a\\u{1b}[2Kb'],
    ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
    ['an isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['a zero width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a carriage return', 'a\rb', 'a\\rb'],
    ['a C1 control', 'a\u009bb', 'a\\u{9b}b'],
    ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['a filler', 'a\u3164b', 'a\\u{3164}b'],
    ['a variation selector', 'a\ufe0fb', 'a\\u{fe0f}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['an annotation mark', 'a\ufff9b', 'a\\u{fff9}b'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
  ])('shows %s', (_name, text, shown) => {
    expect(renderVisible(text).text).toBe(shown);
    expect(renderVisible(text).hidden).toBeGreaterThan(0);
  });

  it('leaves what a person sees as it is', () => {
    const text = 'Grüße, 日本語 😀\n\tעברית';
    expect(renderVisible(text)).toEqual({ text, hidden: 0 });
  });
});

describe('renderVisibleLine()', () => {
  it('keeps a name on its line', () => {
    expect(renderVisibleLine('a\nb\tc\u001b')).toBe('a\\nb\\tc\\u{1b}');
  });
});
