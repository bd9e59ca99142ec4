// What is in an artefact, for scanners, which see no packages in a bundle.
import type { Component } from './notices.ts';

/** The components as CycloneDX 1.5, in the order in which they are given. */
export const writeBillOfMaterials = (components: readonly Component[]): string => {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: components.map(({ name, version, license }) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ expression: license }],
    })),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
};
