// Whether a packed package passes on the licences of what it contains: our own, and those of third-party software.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowedLicense, LICENSE_FILES, parseNotices } from '@muster/licenses';
import { ROOT } from '../../setup/repository.mjs';

/** The texts of the files; null for one that is missing. */
export type PackedLicenses = {
  own: string | null;
  notices: string | null;
  /** CycloneDX. A package that bundles nothing has none. */
  billOfMaterials: string | null;
};

/** Reads a file made by `npm pack`. */
export const readPackedLicenses = (tarball: string): PackedLicenses => {
  const [own = '', notices = ''] = LICENSE_FILES;
  const listed = spawnSync('tar', ['-tzf', tarball], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const bill = listed.stdout.split('\n').find((path) => path.endsWith('/sbom.cdx.json'));
  return {
    own: readMember(tarball, `package/${own}`),
    notices: readMember(tarball, `package/${notices}`),
    billOfMaterials: bill ? readMember(tarball, bill) : null,
  };
};

const readMember = (tarball: string, path: string): string | null => {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { status, stdout } = spawnSync('tar', ['-xzOf', tarball, path], options);
  return status === 0 ? stdout : null;
};

/** One sentence for each problem. */
export const findLicenseProblems = ({
  own,
  notices,
  billOfMaterials,
}: PackedLicenses): string[] => {
  const problems: string[] = [];
  if (own !== readFileSync(join(ROOT, 'LICENSE'), 'utf8')) {
    problems.push('The licence of Muster is missing.');
  }
  if (notices === null) return [...problems, `${LICENSE_FILES[1]} is missing.`];
  const entries = new Map(parseNotices(notices).map((one) => [`${one.name} ${one.version}`, one]));
  const components = new Map(readComponents(billOfMaterials).map((one) => [one.id, one.license]));
  for (const [id, license] of components) {
    if (!isAllowedLicense(license))
      problems.push(`The licence ${license} of ${id} is not allowed.`);
    const entry = entries.get(id);
    if (!entry) problems.push(`The licence of the component ${id} is missing.`);
    else if (entry.license !== license) {
      problems.push(`${id} is a component under ${license}, and an entry under ${entry.license}.`);
    }
  }
  for (const id of entries.keys()) {
    if (!components.has(id)) problems.push(`${id} has an entry and is not a component.`);
  }
  return problems;
};

type Bill = {
  components: { name: string; version: string; licenses: { expression: string }[] }[];
};

const readComponents = (billOfMaterials: string | null): { id: string; license: string }[] => {
  const { components } = JSON.parse(billOfMaterials ?? '{ "components": [] }') as Bill;
  return components.map(({ name, version, licenses }) => ({
    id: `${name} ${version}`,
    license: licenses.map(({ expression }) => expression).join(' AND '),
  }));
};
