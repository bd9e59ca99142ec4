// The version of the kit, which is the version of the service that it carries.
import { readFileSync } from 'node:fs';

// Beside the built program in the published package, one folder up in the repository.
const path = import.meta.url.endsWith('.ts') ? '../package.json' : './package.json';
const manifest = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
  version: string;
};

export const KIT_VERSION = manifest.version;
