import { setTimeout as delay } from 'node:timers/promises';
import type { ProviderPowers } from '../proposals/providers/provider.ts';

/** The world of this process, as providers see it. What an endpoint understands is remembered for its life. */
export const providerPowers: ProviderPowers = {
  fetch: (url, options) => fetch(url, options),
  now: () => Date.now(),
  delay: async (ms, signal) => {
    await delay(ms, undefined, signal && { signal }).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    });
  },
  random: () => Math.random(),
  get env() {
    return process.env;
  },
  memory: new Map(),
};
