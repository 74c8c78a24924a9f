import { defineParameterType } from '@cucumber/cucumber';

// "text" with \n, \r, \t, \0, \" and \u{hex}; any other backslash is a backslash.
defineParameterType({
  name: 'text',
  regexp: /"((?:[^"\\]|\\[\s\S])*)"/,
  transformer: (written: string) => unescapeText(written),
});

// `code`: a JavaScript expression, the program's or the host's.
defineParameterType({ name: 'code', regexp: /`([^`]+)`/, transformer: (code: string) => code });

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', '"': '"' };

function unescapeText(written: string): string {
  return written.replace(/\\(?:u\{([0-9a-f]+)\}|([nrt0"]))/gi, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? '') : String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
