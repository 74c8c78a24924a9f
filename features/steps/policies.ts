import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Given } from '@cucumber/cucumber';
import type { PortholeWorld } from '../support/world.ts';

// Beside the root, where an operator keeps it.
Given('the policy:', function (this: PortholeWorld, text: string) {
  const policy = join(this.folder.base, 'policy.yaml');
  writeFileSync(policy, `porthole: 1\n${text}\n`);
  this.useRuntime({ ...this.runtimeOptions, policy });
});

Given('the policy {text} in the root:', async function (this: PortholeWorld, file: string, text: string) {
  await this.folder.furnish([{ file, text: `porthole: 1\n${text}\n` }]);
  this.useRuntime({ ...this.runtimeOptions, policy: join(this.folder.root, file) });
});
