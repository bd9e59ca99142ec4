// Lints the committed OpenAPI documents with Redocly's rules, without telemetry and without a download.
import { runProgram } from '../run/run-program.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';

const DOCUMENTS = [
  'contracts/openapi.json',
  'contracts/openapi-3.0.json',
  'contracts/openapi-companion.json',
  'contracts/openapi-admin.json',
];

export function lintDocuments() {
  return runProgram({
    command: 'redocly',
    args: ['lint', '--config', 'scripts/openapi/redocly.yaml', ...DOCUMENTS],
    env: {
      ...projectEnvironment(),
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  });
}
