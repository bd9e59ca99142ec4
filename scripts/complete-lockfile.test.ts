import { expect, test } from 'vitest';
import { completeLockfile, findIncompleteLockfiles } from './complete-lockfile.mjs';

test('the committed lockfiles are complete', () => {
  expect(findIncompleteLockfiles()).toEqual([]);
});

test('adds the packages for other platforms that npm has dropped', () => {
  const optionalDependencies = { '@a/tool-windows-64': '1.0.0', 'tool-linux-arm64': '1.0.0' };
  const { packages } = completeLockfile({
    packages: { '': {}, 'node_modules/tool': { dev: true, license: 'MIT', optionalDependencies } },
  });
  const common = { version: '1.0.0', dev: true, license: 'MIT', optional: true };
  expect(packages).toMatchObject({
    'node_modules/@a/tool-windows-64': { ...common, os: ['win32'], cpu: ['x64'] },
    'node_modules/tool-linux-arm64': { ...common, os: ['linux'], cpu: ['arm64'] },
  });
  const unknown = { 'node_modules/a': { optionalDependencies: { 'for-nothing': '1.0.0' } } };
  expect(() => completeLockfile({ packages: unknown })).toThrow('for-nothing names no platform');
});

test('removes peers that only development needs: optional ones that nothing else runs with, and types', () => {
  const { packages } = completeLockfile({
    packages: {
      '': { dependencies: { web: '1.0.0' }, devDependencies: { runner: '1.0.0' } },
      'node_modules/adapter': {
        peerDependencies: { runner: '*', driver: '*', framework: '*', typescript: '*' },
        peerDependenciesMeta: { runner: { optional: true }, driver: { optional: true } },
      },
      'node_modules/driver': {},
      'node_modules/framework': {},
      'node_modules/runner': {},
      'node_modules/typescript': {},
      'node_modules/web': { dependencies: { adapter: '*', driver: '*' } },
    },
  });
  expect(packages['node_modules/adapter']).toEqual({
    peerDependencies: { driver: '*', framework: '*' },
    peerDependenciesMeta: { driver: { optional: true } },
  });
});

test('gives each package with a checksum its address on the public registry, and no other one', () => {
  const { packages } = completeLockfile({
    packages: {
      '': {},
      'node_modules/linked': { link: true, resolved: 'packages/linked' },
      'node_modules/unverified': { version: '1.0.0', resolved: 'https://mirror.example/a.tgz' },
      'node_modules/mirrored': {
        version: '1.0.0',
        resolved: 'https://mirror.example/b.tgz',
        integrity: 's',
      },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0', integrity: 's' },
      'node_modules/alias': { name: 'd', version: '3.0.0', integrity: 's' },
    },
  });
  const addresses = Object.entries(packages).map(([path, { resolved }]) => [path, resolved]);
  expect(Object.fromEntries(addresses)).toEqual({
    'node_modules/linked': 'packages/linked',
    'node_modules/mirrored': 'https://registry.npmjs.org/mirrored/-/mirrored-1.0.0.tgz',
    'node_modules/a/node_modules/@b/c': 'https://registry.npmjs.org/@b/c/-/c-2.0.0.tgz',
    'node_modules/alias': 'https://registry.npmjs.org/d/-/d-3.0.0.tgz',
  });
});
