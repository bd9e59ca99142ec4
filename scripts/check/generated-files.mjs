// Generated files that are committed must be what their source generates now.
import { program } from './run-steps.mjs';

/**
 * One entry per kind of generated file. Each command generates into a temporary place, compares,
 * says what differs, and answers 0 only when nothing does.
 */
const GENERATED = [
  {
    what: 'prisma/migrations are what prisma/schema.prisma describes',
    compare: program('npm', ['run', '--silent', 'check-drift', '--workspace', '@muster/database']),
  },
  {
    what: 'contracts/openapi.json and openapi-3.0.json are what the contract describes',
    compare: program('node', ['scripts/openapi/write-documents.ts', '--check']),
  },
  {
    what: 'contracts/pacts are what the tests of our own consumers write',
    compare: program('node', ['scripts/pacts.mjs', '--check']),
  },
];

export async function checkGeneratedFiles() {
  let failures = 0;
  for (const { what, compare } of GENERATED) {
    const code = await compare();
    console.log(`  ${code === 0 ? 'yes' : 'NO '}  ${what}`);
    if (code !== 0) failures += 1;
  }
  return failures === 0 ? 0 : 1;
}
