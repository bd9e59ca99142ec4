// npm run generate: writes the generated sources of the client.
import { writeFileSync } from 'node:fs';
import { writeWireTypes } from './write-wire-types.ts';

for (const [file, text] of writeWireTypes()) {
  writeFileSync(new URL(`../src/wire/${file}`, import.meta.url), text);
}
