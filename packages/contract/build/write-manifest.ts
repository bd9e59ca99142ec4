type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  /** Set by the workflow that publishes. */
  repository?: object;
  dependencies: Record<string, string>;
};

const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });

/** A release candidate of ts-rest, which only the routers need: installing it is the choice of those who import them. */
const OPTIONAL = '@ts-rest/core';

/** The manifest of the published package: built files instead of the source, and no workspace fields. */
export const writeManifest = (workspace: Manifest): string => {
  const { name, version, description, license, repository } = workspace;
  const { [OPTIONAL]: optional = '', ...dependencies } = workspace.dependencies;
  const manifest = {
    name,
    version,
    description,
    license,
    repository,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': entry('index'),
      './schemas': entry('schemas'),
      './openapi': entry('openapi'),
      './package.json': './package.json',
    },
    publishConfig: { access: 'public' },
    engines: { node: '>=20' },
    dependencies,
    peerDependencies: { [OPTIONAL]: `^${optional}` },
    peerDependenciesMeta: { [OPTIONAL]: { optional: true } },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
};
