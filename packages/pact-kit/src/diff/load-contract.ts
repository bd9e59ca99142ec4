// OpenAPI documents from a file or a URL, in JSON or YAML.
import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { Problem, sentenceOf } from '../problem.ts';

const TIMEOUT_MS = 30_000;

/** Reads an OpenAPI 3 document. Errors: Problem, with the line where the text is broken. */
export const loadContract = async (source: string): Promise<object> => {
  const value = parse(await readText(source), source);
  if (typeof value !== 'object' || value === null || !('openapi' in value)) {
    throw new Problem(
      `${source}: this is not an OpenAPI document, since it has no field "openapi".`,
    );
  }
  if (!('paths' in value) || typeof value.paths !== 'object' || value.paths === null) {
    throw new Problem(`${source}: the OpenAPI document has no paths.`);
  }
  return value;
};

const readText = async (source: string): Promise<string> => {
  try {
    if (!/^https?:\/\//i.test(source)) return await readFile(source, 'utf8');
    const response = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return await response.text();
    throw new Error(`the server answered ${response.status}`);
  } catch (error) {
    throw new Problem(`${source}: the document cannot be read: ${reasonOf(error)}.`);
  }
};

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return 'there is no such file';
  }
  return sentenceOf(error instanceof Error && error.cause ? error.cause : error);
};

/** Every JSON document is a YAML document too (YAML 1.2, section 1.3). */
const parse = (text: string, source: string): unknown => {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (!error) return document.toJS();
  const { line } = lineCounter.linePos(error.pos[0]);
  throw new Problem(`${source}:${line}: this is neither valid JSON nor YAML: ${sentenceOf(error)}`);
};
