// The differences between a clone of the repository, which runs from source, and the installed package, which runs as a bundle.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The bundle is built JavaScript. */
const isInstalled = !import.meta.url.endsWith('.ts');

/** The path of a file or folder of the program: `inRepository` from its root, `installed` beside the bundle. */
export const locate = (inRepository: string, installed: string): string =>
  fileURLToPath(
    new URL(isInstalled ? `./${installed}` : `../../../../${inRepository}`, import.meta.url),
  );

/** How a person calls a command of this installation, such as `token`; its options follow. */
export const callOf = (command: string): string => {
  // npm runs a package that is not installed anywhere a shell would look.
  const isRunByNpx = process.env.npm_command === 'exec';
  if (isInstalled) return isRunByNpx ? `npx @muster/server ${command}` : `muster ${command}`;
  return `npm run -s muster -- ${command}`;
};

/** Such as `Node.js 24.21.0`. Bun and Deno also report a Node.js version. */
export const nameRuntime = (): string => {
  const { bun, deno, node } = process.versions;
  if (bun) return `Bun ${bun}`;
  return deno ? `Deno ${deno}` : `Node.js ${node}`;
};

/** The version of the program. */
export const readVersion = (): string => {
  const manifest = locate('apps/api/package.json', '../package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
};

type Manifest = { dependencies?: Record<string, string> };
type BillOfMaterials = { components: { name: string; version: string }[] };

/** The libraries of the service with their versions: those that it names, or in a package all that are bundled. */
export const readDependencies = (): Record<string, string> => {
  const file = locate('apps/api/package.json', 'sbom.cdx.json');
  const content = JSON.parse(readFileSync(file, 'utf8')) as Manifest | BillOfMaterials;
  if (!('components' in content)) return content.dependencies ?? {};
  return Object.fromEntries(content.components.map(({ name, version }) => [name, version]));
};
