// What looks like a version has to come from somewhere; other values the model may choose itself.
const versionShape = /^v?\d+\.\d+/;

/** Whether a value that looks like a version stands in the evidence as a whole token; other values need no evidence. */
export function isCorroborated(value: string, evidence: readonly string[]): boolean {
  return !versionShape.test(value) || evidence.some((text) => standsIn(text, value));
}

function standsIn(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const before = lastCharacter(text.slice(Math.max(0, at - 2), at));
    const after = text.slice(at + token.length, at + token.length + 2);
    if (!partOfToken.test(before) && endsToken(after)) return true;
  }
  return false;
}

// Two units, so that a letter outside the basic plane is seen whole.
function lastCharacter(units: string): string {
  return Array.from(units).at(-1) ?? '';
}

const partOfToken = /^[\p{L}\p{M}\p{N}.\-+_]/u;

// One full stop before a blank or the end closes a sentence.
function endsToken(after: string): boolean {
  return !partOfToken.test(after) || /^\.(?:\s|$)/.test(after);
}
