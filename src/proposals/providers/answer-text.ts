/** What a text that should be JSON holds. */
export type AnswerText =
  | { readonly kind: 'json'; readonly value: unknown }
  /** It begins as JSON and ends too early. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'other' };

/** Reads an answer as JSON: bare, or in one fence. Prose around it makes it something else; nothing is cut out. */
export function readAnswerText(text: string): AnswerText {
  const json = unwrapFence(dropThinking(text));
  try {
    return { kind: 'json', value: JSON.parse(json) };
  } catch {
    return { kind: endsEarly(json) ? 'cut' : 'other' };
  }
}

// Some local servers leave a model's thinking in front of its answer.
function dropThinking(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?<\/think>/i, '').trim();
}

function unwrapFence(text: string): string {
  const [, inner] = /^```[A-Za-z]*[ \t]*\r?\n([\s\S]*?)\r?\n?```$/.exec(text) ?? [];
  // An opened fence that is never closed was cut off with what it holds.
  return (inner ?? text.replace(/^```[A-Za-z]*[ \t]*\r?\n/, '')).trim();
}

// True where brackets or a string are still open at the end, and nothing closed that was not open.
function endsEarly(json: string): boolean {
  if (!json.startsWith('{') && !json.startsWith('[')) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  return inString || depth > 0;
}
