import { PortholeError } from '../../contract/errors.ts';
import type { Protocol } from './protocol.ts';
import type { ProviderConfig } from './provider.ts';

/** Where requests go and what they carry. */
export interface Endpoint {
  readonly url: string;
  /** What may be shown of the url: its query may hold secrets. */
  readonly shown: string;
  readonly headers: Headers;
  /** Takes the key, and what else is likely a secret, out of a text that somebody will see. */
  readonly redact: (text: string) => string;
  /** Takes the key alone out of an answer, which ends up in files and logs. */
  readonly hideKey: (text: string) => string;
}

/**
 * Brings a provider's settings and its key together.
 * @throws PortholeError `PROVIDER_AUTH` without the key, `POLICY_INVALID` for what no request can be made of
 */
export function openEndpoint(
  name: string,
  config: ProviderConfig,
  { protocol, env }: { readonly protocol: Protocol; readonly env: Readonly<Record<string, string | undefined>> },
): Endpoint {
  const key = readKey(name, config, env);
  const url = urlOf(name, config, protocol);
  const keys = key === undefined ? [] : [key];
  const others = [...Object.values(config.headers ?? {}), ...url.searchParams.values()];
  return {
    url: url.href,
    shown: `${url.origin}${url.pathname}`,
    headers: headersOf(name, config, { protocol, key }),
    redact: createRedact([...keys, ...others.filter(isLikelySecret)]),
    hideKey: createRedact(keys),
  };
}

function readKey(
  name: string,
  { apiKeyEnv }: ProviderConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = env[apiKeyEnv]?.trim();
  const fail = (what: string): PortholeError =>
    new PortholeError('PROVIDER_AUTH', `Cannot ask ${name}: the environment variable ${apiKeyEnv} ${what}`, {
      hint: `Put the key into ${apiKeyEnv}, and nothing else into it.`,
    });
  if (key === undefined || key === '') throw fail('is not set');
  // Refused here: the message of a refused header would quote it.
  if (!/^[\x21-\x7e]+$/.test(key)) throw fail('holds blanks or other characters that no key has');
  return key;
}

function urlOf(name: string, { baseUrl, query }: ProviderConfig, protocol: Protocol): URL {
  const base = new URL(baseUrl);
  if (base.protocol !== 'https:' && base.protocol !== 'http:') {
    throw unusable(name, `its baseUrl is ${base.protocol} instead of https:`);
  }
  if (base.username !== '' || base.password !== '') {
    throw unusable(name, 'its baseUrl holds a name or password; keys come from the environment');
  }
  const url = new URL(protocol.pathFrom(`${base.origin}${base.pathname}`.replace(/\/+$/, '')));
  for (const [key, value] of base.searchParams) url.searchParams.append(key, value);
  for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
  return url;
}

interface HeaderParts {
  readonly protocol: Protocol;
  readonly key: string | undefined;
}

function headersOf(name: string, config: ProviderConfig, { protocol, key }: HeaderParts): Headers {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json', ...protocol.headers });
  for (const [header, value] of Object.entries(config.headers ?? {})) setHeader(name, headers, { header, value });
  if (key === undefined) return headers;
  const header = config.authHeader ?? protocol.keyHeader;
  setHeader(name, headers, { header, value: header.toLowerCase() === 'authorization' ? `Bearer ${key}` : key });
  return headers;
}

function setHeader(name: string, headers: Headers, { header, value }: { header: string; value: string }): void {
  try {
    headers.set(header, value);
  } catch {
    throw unusable(name, `${JSON.stringify(header)} cannot be a header with that value`);
  }
}

// A short value, such as a version, would take ordinary words out of messages.
function isLikelySecret(value: string): boolean {
  return value.length >= 8;
}

function createRedact(secrets: readonly string[]): (text: string) => string {
  const spellings = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
  // The longest first: one may be a part of another.
  spellings.sort((one, other) => other.length - one.length);
  return (text) => spellings.reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text);
}

function unusable(name: string, what: string): PortholeError {
  return new PortholeError('POLICY_INVALID', `Cannot use the provider ${name}: ${what}`, {
    hint: `Correct providers.${name} in the policy.`,
  });
}
