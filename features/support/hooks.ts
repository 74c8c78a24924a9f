import { After } from '@cucumber/cucumber';
import type { PortholeWorld } from './world.ts';

After(async function (this: PortholeWorld) {
  await this.dispose();
});
