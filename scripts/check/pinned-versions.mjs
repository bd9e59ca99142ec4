// Every dependency names one exact version, the same in every workspace.
import { listWorkspaces, readManifest } from '../setup/repository.mjs';

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

/** @param {string} folder @returns {{ folder: string, name: string, version: string }[]} */
function listDependencies(folder) {
  const { dependencies, devDependencies, optionalDependencies } = readManifest(folder);
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
  return Object.entries(all).map(([name, version]) => ({ folder, name, version }));
}

export function checkPinnedVersions() {
  const all = ['', ...listWorkspaces()].flatMap((folder) => listDependencies(folder));
  return [...findRanges(all), ...findDisagreements(all)];
}

/** @param {ReturnType<typeof listDependencies>} all */
function findRanges(all) {
  return all
    .filter(({ version }) => !EXACT.test(version))
    .map(
      ({ folder, name, version }) => `${folder}/package.json: ${name} is "${version}", not exact.`,
    );
}

/** @param {ReturnType<typeof listDependencies>} all */
function findDisagreements(all) {
  const first = new Map(all.map(({ name, version }) => [name, version]));
  return all
    .filter(({ name, version }) => first.get(name) !== version)
    .map(({ folder, name, version }) => {
      return `${folder}/package.json: ${name} is ${version}, elsewhere ${first.get(name)}.`;
    });
}
