import { expect, it } from 'vitest';
import { composeDenoLock } from './compose-deno-lock.mjs';

const LOCK = {
  packages: {
    '': { dependencies: { 'with-script': '1.0.0' } },
    'apps/one': { dependencies: { '@muster/two': '0.1.0', library: '2.0.0' } },
    'node_modules/@muster/two': { link: true },
    'node_modules/with-script': {
      version: '1.0.0',
      integrity: 'sha512-a',
      hasInstallScript: true,
      bin: { it: 'it.js' },
      optionalDependencies: { 'for-linux': '1.0.0', 'for-others': '1.0.0' },
    },
    'node_modules/for-linux': {
      version: '1.0.0',
      integrity: 'sha512-b',
      os: ['linux', 'android'],
      cpu: 'x64',
    },
    'node_modules/for-others': { version: '1.0.0', os: ['darwin'] },
    'node_modules/library': { version: '1.5.0', integrity: 'sha512-c' },
    'apps/one/node_modules/library': {
      version: '2.0.0',
      integrity: 'sha512-d',
      dependencies: { 'with-script': '^1.0.0' },
      peerDependencies: { 'for-linux': '*', absent: '*' },
      peerDependenciesMeta: { 'for-linux': { optional: true }, absent: { optional: true } },
    },
  },
};

it('names each package once, with what Node.js would resolve from its place', () => {
  expect(composeDenoLock(LOCK)).toEqual({
    version: '5',
    specifiers: { 'npm:library@2.0.0': '2.0.0', 'npm:with-script@1.0.0': '1.0.0' },
    npm: {
      'for-linux@1.0.0': { integrity: 'sha512-b', os: ['linux', 'android'], cpu: ['x64'] },
      'library@1.5.0': { integrity: 'sha512-c' },
      'library@2.0.0': {
        integrity: 'sha512-d',
        dependencies: ['with-script'],
        optionalPeers: ['for-linux'],
      },
      'with-script@1.0.0': {
        integrity: 'sha512-a',
        optionalDependencies: ['for-linux'],
        scripts: true,
        bin: true,
      },
    },
    workspace: {
      packageJson: { dependencies: ['npm:with-script@1.0.0'] },
      members: {
        'apps/one': {
          packageJson: { dependencies: ['npm:@muster/two@0.1.0', 'npm:library@2.0.0'] },
        },
      },
    },
  });
});

it('repeats the overrides of package.json, without which Deno takes the lockfile for outdated', () => {
  const { workspace } = composeDenoLock(LOCK, { library: '1.5.0' }) as { workspace: object };
  expect(workspace).toMatchObject({
    packageJson: { dependencies: ['npm:with-script@1.0.0'], overrides: { library: '1.5.0' } },
  });
});

it('names the version that is meant among several', () => {
  const packages = {
    ...LOCK.packages,
    'node_modules/user': {
      version: '1.0.0',
      integrity: 'sha512-e',
      dependencies: { library: '^1.0.0' },
    },
  };
  const { npm } = composeDenoLock({ packages }) as { npm: Record<string, object> };
  expect(npm['user@1.0.0']).toMatchObject({ dependencies: ['library@1.5.0'] });
});
