// Writes contracts/provider-states.md; run it after the catalogue has changed.
import { writeFileSync } from 'node:fs';
import { renderStates } from './render-states.ts';

const page = new URL('../../../../contracts/provider-states.md', import.meta.url);
writeFileSync(page, renderStates('markdown'));
