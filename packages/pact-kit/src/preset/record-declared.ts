// Runs before each test file of a consumer: notes every interaction that a test declares through pact-js.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DECLARED_VARIABLE } from './pact-content.ts';

type Options = { consumer?: string; provider?: string };
type Describe = (this: unknown, description: string) => unknown;

/** The classes of pact-js (version 12 to 17) whose methods begin an interaction. */
type PactLibrary = Partial<
  Record<'PactV3' | 'PactV4' | 'Pact' | 'MatchersV3', { prototype: Record<string, unknown> }>
>;

const record = ({ consumer = '', provider = '' }: Options, description: string): void => {
  const file = process.env[DECLARED_VARIABLE];
  const line = JSON.stringify({ consumer, provider, description });
  if (file) appendFileSync(file, `${line}\n`);
};

/** Version 3: the object that describes interactions is the one that holds the options. */
const watchVersion3 = (prototype: Record<string, unknown>): void => {
  const original = prototype.uponReceiving as Describe;
  prototype.uponReceiving = function (this: { opts: Options }, description: string) {
    record(this.opts, description);
    return original.call(this, description);
  };
};

/** Version 4: each interaction is an object of its own. */
const watchVersion4 = (prototype: Record<string, unknown>): void => {
  const original = prototype.addInteraction as (this: unknown) => { uponReceiving: Describe };
  prototype.addInteraction = function (this: { opts: Options }) {
    const interaction = original.call(this);
    const describe = interaction.uponReceiving;
    interaction.uponReceiving = (description) => {
      record(this.opts, description);
      return describe.call(interaction, description);
    };
    return interaction;
  };
};

const WATCHED = Symbol.for('muster-pact-kit.watched');

/** The consumer's own copy, which its tests import too; a setup file runs once per test file, the library is patched once. */
const watch = (): void => {
  const require = createRequire(join(process.cwd(), 'package.json'));
  const library = require('@pact-foundation/pact') as PactLibrary & { [WATCHED]?: true };
  if (library[WATCHED]) return;
  Object.defineProperty(library, WATCHED, { value: true });
  if (library.PactV3) watchVersion3(library.PactV3.prototype);
  const version4 = library.PactV4 ?? library.Pact;
  if (version4?.prototype.addInteraction) watchVersion4(version4.prototype);
};

watch();
